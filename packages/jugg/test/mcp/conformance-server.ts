import { setTimeout as delay } from 'node:timers/promises';
import {
  ResourceNotFoundError,
  type CallToolResult,
  type ContentBlock,
  type Server,
  type Tool,
} from '@modelcontextprotocol/server';
import { HttpFront } from '../../src/mcp/http.ts';
import { buildServer, callThrough, type BackendCaller, type ToolBackend } from '../../src/mcp/server.ts';
import { callContextTool, CONTEXT_TOOLS, promptThatAsks } from './conformance-input.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

const text = (said: string): ContentBlock => ({ type: 'text', text: said });
const image: ContentBlock = { type: 'image', data: PIXEL, mimeType: 'image/png' };

/** What the suite demands of tools by these names (its own descriptions of the scenarios). */
const TOOLS: Readonly<Record<string, (caller: BackendCaller) => Promise<CallToolResult> | CallToolResult>> = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'Embedded content.' },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      {
        type: 'resource',
        resource: { uri: 'test://mixed', mimeType: 'application/json', text: '{"test":"data"}' },
      },
    ],
  }),
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  test_tool_with_progress: async ({ progress }) => {
    for (const percent of [0, 50, 100]) {
      progress?.(`Completed step ${percent} of 100`, percent);
      // The suite wants the steps apart.
      await delay(50);
    }
    return { content: [text('done')] };
  },
  json_schema_2020_12_tool: () => ({ content: [text('done')] }),
};

const SCHEMA_TOOL: Tool['inputSchema'] = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, in an object that nobody awaits
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const backend: ToolBackend = {
  list: async () =>
    [...Object.keys(TOOLS), ...Object.keys(CONTEXT_TOOLS)].map((name) => ({
      name,
      description: `What the suite wants of ${name}`,
      inputSchema: name.startsWith('json_schema') ? SCHEMA_TOOL : { type: 'object' as const },
    })),
  call: async (name, _args, caller) => TOOLS[name]?.(caller),
};

/** The real server with the suite's tools, resources and prompts, and what Jugg itself does not offer. */
function conformanceServer(): Server {
  const server = buildServer(backend, '0');
  server.registerCapabilities({ logging: {}, completions: {}, resources: { subscribe: true } });
  const callTool = callThrough(backend);
  server.setRequestHandler(
    'tools/call',
    async (request, context) => callContextTool(request, context) ?? callTool(request, context),
  );
  server.setRequestHandler('resources/list', async () => ({
    resources: [
      { uri: 'test://static-text', name: 'text', mimeType: 'text/plain' },
      { uri: 'test://static-binary', name: 'binary', mimeType: 'image/png' },
    ],
  }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] };
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
    if (id === undefined && uri !== 'test://static-text') throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: 'text/plain', text: id ? `Data for ID: ${id}` : 'Static text.' }] };
  });
  server.setRequestHandler('resources/subscribe', async () => ({}));
  server.setRequestHandler('resources/unsubscribe', async () => ({}));
  server.setRequestHandler('logging/setLevel', async () => ({}));
  server.setRequestHandler('completion/complete', async () => ({
    completion: { values: ['paris'], total: 1 },
  }));
  addPrompts(server);
  return server;
}

function addPrompts(server: Server): void {
  const argument = (name: string) => ({ name, description: name, required: true });
  server.setRequestHandler('prompts/list', async () => ({
    prompts: [
      { name: 'test_simple_prompt', description: 'simple' },
      {
        name: 'test_prompt_with_arguments',
        description: 'arguments',
        arguments: [argument('arg1'), argument('arg2')],
      },
      {
        name: 'test_prompt_with_embedded_resource',
        description: 'resource',
        arguments: [argument('resourceUri')],
      },
      { name: 'test_prompt_with_image', description: 'image' },
      { name: 'test_input_required_result_prompt', description: 'asks first' },
    ],
  }));
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }, context) => {
    const question = name === 'test_input_required_result_prompt' ? promptThatAsks(context) : undefined;
    if (question) return question;
    const contents: Readonly<Record<string, ContentBlock>> = {
      test_simple_prompt: text('This is a simple prompt for testing.'),
      test_prompt_with_arguments: text(
        `Prompt with arguments: arg1='${given['arg1']}', arg2='${given['arg2']}'`,
      ),
      test_prompt_with_embedded_resource: {
        type: 'resource',
        resource: { uri: given['resourceUri'] ?? '', mimeType: 'text/plain', text: 'Embedded.' },
      },
      test_prompt_with_image: image,
    };
    return { messages: [{ role: 'user', content: contents[name] ?? text('unknown') }] };
  });
}

/** The real HTTP front before it. */
export function conformanceFront(): HttpFront {
  return new HttpFront({
    build: conformanceServer,
    backend: () => backend,
    token: 'secret-token',
    guards: { allowedHosts: [], allowedOrigins: [] },
    onRequest: () => {},
    onError: () => {},
    onStop: () => false,
  });
}
