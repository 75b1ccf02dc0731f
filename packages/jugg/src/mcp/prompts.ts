import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type Prompt,
} from '@modelcontextprotocol/server';

interface Workflow extends Prompt {
  readonly template: string;
}

/** The three things that agents are asked for most. `{name}` stands for an argument. */
const WORKFLOWS: readonly Workflow[] = [
  {
    name: 'change-and-see',
    title: 'Change the app and see it',
    description: 'Edit, deploy, look, compare with what was asked for.',
    arguments: [{ name: 'change', description: 'What shall be different', required: true }],
    template:
      'Make this change in the Android app: {change}\n\nEdit the sources, then call deploy. When it fails with diagnostics, mend them and deploy again. Then call layout-dump (format text) or screenshot and check that the change is on the screen; if the screen was not drawn anew, use the app or call restart. Report what you saw, not what you expect.',
  },
  {
    name: 'use-the-app',
    title: 'Go through the app',
    description: 'Reach a screen or carry out steps by tapping and typing.',
    arguments: [{ name: 'steps', description: 'What to do in the app', required: true }],
    template:
      'Do this in the running Android app: {steps}\n\nBefore each step call layout-dump (format text) and choose the element by its ref. After each tap look whether changed is true; wait-for helps with what takes time. When the app is not in front call restart. Report each step and what the screen showed.',
  },
  {
    name: 'find-the-crash',
    title: 'Find out why the app crashes',
    description: 'Reproduce, read the stack, mend, prove.',
    arguments: [{ name: 'symptom', description: 'When it crashes', required: true }],
    template:
      'The Android app crashes: {symptom}\n\nCall restart, reproduce it, then call wait-logs and read crash (exception, message, stack). Find the line in the sources, mend it, deploy, reproduce again and show with wait-logs that it no longer crashes.',
  },
];

export function promptList(): Prompt[] {
  return WORKFLOWS.map(({ name, title = name, description = '', arguments: args = [] }) => ({
    name,
    title,
    description,
    arguments: args,
  }));
}

/** The text of a prompt with its arguments in place; a protocol error for an unknown name or a missing argument. */
export function getPrompt(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  const workflow = WORKFLOWS.find((one) => one.name === name);
  if (!workflow)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name.slice(0, 100)}`);
  const missing = (workflow.arguments ?? []).find(
    (argument) => argument.required === true && !given[argument.name],
  );
  if (missing)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The prompt ${name} needs the argument ${missing.name}`,
    );
  const text = workflow.template.replaceAll(/\{(\w+)\}/g, (_match, key: string) => given[key] ?? '');
  return {
    description: workflow.description ?? '',
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}
