import { readFile } from 'node:fs/promises';
import {
  ResourceNotFoundError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { listedActions } from '../actions/registry.ts';
import { shippedFile } from '../shared/paths.ts';
import { readArtifact } from './artifact-links.ts';
import { inputJsonSchema, outputJsonSchema } from './tools.ts';

/** Help for agents, shipped as Markdown: `jugg://docs/<topic>`. */
const TOPICS: Readonly<Record<string, string>> = {
  'getting-started': 'From nothing to the running app',
  deploy: 'What deploy does and which way it takes',
  ui: 'Looking at the screen and touching it',
  logs: 'Reading logs and waiting for them',
  troubleshooting: 'What errors mean and what to do',
  protocol: 'What a client sees: calls, envelope, jobs, shapes',
};

/** An address that is not known is echoed to its client, as the revision 2026-07-28 asks, up to this many characters. */
const LONGEST_URI = 500;

/** The kinds of addresses. */
export const TEMPLATES: ResourceTemplateType[] = [
  { uriTemplate: 'jugg://docs/{topic}', name: 'docs', title: 'Help on a topic', mimeType: 'text/markdown' },
  {
    uriTemplate: 'jugg://schema/{tool}',
    name: 'schema',
    title: 'Schemas of a tool',
    mimeType: 'application/json',
  },
  { uriTemplate: 'jugg://artifact/{id}', name: 'artifact', title: 'A file that an answer names' },
];

/** Documents and schemas; artifacts are read by the links in answers, and not listed. */
export function resourceList(): Resource[] {
  const docs = Object.entries(TOPICS).map(([name, title]) => ({
    uri: `jugg://docs/${name}`,
    name,
    title,
    mimeType: 'text/markdown',
  }));
  const schemas = listedActions().map(({ name, title }) => ({
    uri: `jugg://schema/${name}`,
    name: `schema of ${name}`,
    title: `Schemas of ${title}`,
    mimeType: 'application/json',
  }));
  return [...docs, ...schemas];
}

/** The content of one resource; a protocol error for a name that there is not. */
export async function readResource(uri: string): Promise<ReadResourceResult> {
  const [, kind, name = ''] = /^jugg:\/\/(docs|schema|artifact)\/(.+)$/.exec(uri) ?? [];
  if (kind === 'docs' && Object.hasOwn(TOPICS, name)) {
    return text(uri, 'text/markdown', await readFile(shippedFile(`docs/${name}.md`), 'utf8'));
  }
  const action = kind === 'schema' ? listedActions().find((one) => one.name === name) : undefined;
  if (action) {
    return text(
      uri,
      'application/json',
      JSON.stringify({ input: inputJsonSchema(action), output: outputJsonSchema(action) }),
    );
  }
  const artifact = kind === 'artifact' ? await readArtifact(uri) : undefined;
  if (!artifact) throw new ResourceNotFoundError(uri.slice(0, LONGEST_URI), 'There is no such resource');
  const { bytes, mimeType } = artifact;
  if (mimeType.startsWith('image/')) return { contents: [{ uri, mimeType, blob: bytes.toString('base64') }] };
  return text(uri, mimeType, bytes.toString('utf8'));
}

function text(uri: string, mimeType: string, content: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text: content }] };
}
