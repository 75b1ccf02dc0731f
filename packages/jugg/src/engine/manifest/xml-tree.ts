import { SaxesParser } from 'saxes';

export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  /** By name as written. */
  readonly attributes: Map<string, string>;
  readonly children: XmlElement[];
  readonly file: string;
  /** From 1, where the tag begins. */
  readonly line: number;
}

export interface XmlProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Reads an XML document as a tree of elements; text and comments are left out. The first problem ends the reading. */
export function parseXml(
  text: string,
  file: string,
): { readonly root: XmlElement } | { readonly problem: XmlProblem } {
  const parser = new SaxesParser({ position: true });
  const open: XmlElement[] = [];
  let root: XmlElement | null = null;
  let problem: XmlProblem | null = null;
  let startLine = 1;
  parser.on('error', (error) => {
    const message = error.message.replace(/^[^:]*:?\d+:\d+:\s*/, '');
    problem ??= { line: parser.line, column: parser.column + 1, message };
  });
  parser.on('opentagstart', () => {
    // Told after the character that ends the name, which may be the end of the line.
    startLine = parser.column === 0 ? parser.line - 1 : parser.line;
  });
  parser.on('opentag', (tag) => {
    const element: XmlElement = {
      name: tag.name,
      attributes: new Map(Object.entries(tag.attributes)),
      children: [],
      file,
      line: startLine,
    };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text.startsWith('\uFEFF') ? text.slice(1) : text).close();
  if (problem !== null) return { problem };
  return root === null ? { problem: { line: 1, column: 1, message: 'no element' } } : { root };
}

/** Copies an element with other attributes or children. */
export function withParts(
  element: XmlElement,
  parts: { attributes?: Map<string, string>; children?: XmlElement[] },
): XmlElement {
  return { ...element, ...parts };
}
