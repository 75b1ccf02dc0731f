import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Reply } from '../actions/call.ts';
import { artifactUri } from './artifact-links.ts';

const MIME: Readonly<Record<string, string>> = {
  log: 'text/plain',
  text: 'text/plain',
  html: 'text/html',
  json: 'application/json',
  image: 'image/png',
  file: 'application/octet-stream',
};

/** Contract §1: the envelope as structured content and as text, a picture where there is one, links to the files. */
export function toToolResult({ envelope, imagePng }: Reply): CallToolResult {
  const links = envelope.artifacts.flatMap((artifact) => {
    const uri = artifactUri(artifact.path);
    const mimeType = MIME[artifact.type] ?? 'application/octet-stream';
    return uri ? [{ type: 'resource_link' as const, uri: uri.href, name: uri.name, mimeType }] : [];
  });
  return {
    content: [
      { type: 'text', text: JSON.stringify(envelope) },
      ...(imagePng
        ? [{ type: 'image' as const, data: imagePng.toString('base64'), mimeType: 'image/png' }]
        : []),
      ...links,
    ],
    structuredContent: { ...envelope },
    isError: envelope.status === 'ERROR',
  };
}
