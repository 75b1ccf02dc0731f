const END_OF_EVENT = '\n\n';

export interface Events {
  /** The data of each whole event, in order; comments and other fields are left out. */
  readonly data: readonly string[];
  /** What came after the last whole event. */
  readonly rest: string;
}

/** Cuts the text of an event stream (the HTML standard's `text/event-stream`, lines ended by LF) into events. */
export function splitEvents(text: string): Events {
  const blocks = text.split(END_OF_EVENT);
  const rest = blocks.pop() ?? '';
  const data = blocks
    .map((block) =>
      block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).replace(/^ /, ''))
        .join('\n'),
    )
    .filter((content) => content !== '');
  return { data, rest };
}
