import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAction } from '../../src/actions/registry.ts';
import { isEnvelope, type CliEnvelope } from '../../src/cli/envelope.ts';
import { TestHome } from './home.ts';

/** A cold build and a cold device on a busy machine; a fast one needs a tenth of it. */
const SLOW = 240_000;

const COUNT_TEXT = 'app/src/main/kotlin/dev/jugg/sample/counter/CountText.kt';

let home: TestHome;
let client: Client;
beforeAll(async () => {
  home = await TestHome.make({ JUGG_ADB_SERVER: 'false' });
  const manifest = join(home.project, 'app/src/main/AndroidManifest.xml');
  const text = await readFile(manifest, 'utf8');
  const permission = '<uses-permission android:name="android.permission.CAMERA" />';
  const filter = `<intent-filter>
    <action android:name="android.intent.action.VIEW" />
    <category android:name="android.intent.category.DEFAULT" />
    <data android:scheme="counter" />
  </intent-filter></activity>`;
  await writeFile(
    manifest,
    text.replace('<application', `${permission}<application`).replace('</activity>', filter),
  );
  await home.startDevice('tools');
  const deployed = await home.json(['deploy', '--wait-app-ready-after-success'], home.project);
  if (deployed.status !== 'OK') throw new Error(deployed.message);
  const url = new URL(`http://127.0.0.1:${await home.port()}/jugg-mcp`);
  client = new Client({ name: 'e2e', version: '0' });
  await client.connect(
    new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${await home.token()}` } },
    }),
  );
}, SLOW);
afterAll(async () => {
  await client?.close();
  await home.close();
});

function checked(tool: string, envelope: CliEnvelope): CliEnvelope {
  if (envelope.status !== 'OK') return envelope;
  // The gates add who else has changed the device: it is no tool's own.
  const { deviceChangedBy: _, ...data } = envelope.data;
  const parsed = findAction(tool)?.output.safeParse(data);
  // Parsing drops what the schema does not name: nothing may be dropped.
  expect({ problem: parsed?.error?.message, data: parsed?.data }).toEqual({ problem: undefined, data });
  return envelope;
}

async function cli(tool: string, ...args: readonly string[]): Promise<CliEnvelope> {
  return checked(tool, await home.json([tool, ...args], home.project));
}

async function mcp(tool: string, args: Readonly<Record<string, unknown>>): Promise<CliEnvelope> {
  const result = await client.callTool({ name: tool, arguments: { projectDir: home.project, ...args } });
  const envelope: unknown = result.structuredContent;
  if (!isEnvelope(envelope)) throw new Error(JSON.stringify(result));
  return checked(tool, envelope);
}

describe('input', () => {
  test('the same through both doors', async () => {
    const target = { resourceId: 'name' };
    expect(await mcp('input', { target, text: 'Zoë 👋', clear: true })).toMatchObject({
      status: 'OK',
      data: { text: 'Zoë 👋', verified: true },
    });
    expect(await cli('input', '--target-resource-id', 'name', '--text', 'né', '--clear')).toMatchObject({
      status: 'OK',
      data: { text: 'né', verified: true },
    });
    expect(await mcp('view-locate', { target: { textContains: 'né' } })).toMatchObject({ status: 'OK' });
    expect(await cli('input', '--key', 'DEL')).toMatchObject({ data: { text: null, verified: true } });
    expect(await mcp('input', { text: '!', submit: true })).toMatchObject({
      data: { text: 'n!', verified: true },
    });
  });
  test('keys that leave the screen', async () => {
    const verified = { status: 'OK', data: { text: null, verified: true } };
    expect(await mcp('tap', { target: { text: 'History' } })).toMatchObject({ data: { changed: true } });
    expect(await cli('input', '--key', 'BACK')).toMatchObject(verified);
    expect(await mcp('view-locate', { target: { resourceId: 'count' } })).toMatchObject({ status: 'OK' });
    expect(await mcp('input', { key: 3 })).toMatchObject(verified);
    expect(await mcp('input', { key: 'BACK' })).toMatchObject({ errorCode: 'APP_NOT_FOREGROUND' });
    expect(await mcp('restart', {})).toMatchObject({ status: 'OK' });
    expect(await mcp('input', { key: 'TAB', target: { resourceId: 'name' } })).toMatchObject(verified);
  });
  test('wakes a device that sleeps, which nothing else gets past', async () => {
    expect(await mcp('input', { key: 'POWER' })).toMatchObject({ status: 'OK', data: { verified: true } });
    expect(await mcp('wait-for', { target: { resourceId: 'add' } })).toMatchObject({
      errorCode: 'DEVICE_NOT_INTERACTIVE',
      data: { nextTool: { name: 'input', arguments: { key: 'WAKEUP' } } },
    });
    expect(await mcp('screenshot', {})).toMatchObject({ data: { black: true, secure: false } });
    expect(await cli('input', '--key', 'WAKEUP')).toMatchObject({ status: 'OK', data: { verified: true } });
    expect(await mcp('view-locate', { target: { resourceId: 'add' } })).toMatchObject({ status: 'OK' });
  });
  test('an expression that other engines never end, on text that anybody can type', async () => {
    const target = { resourceId: 'name' };
    expect(await mcp('input', { target, text: `${'a'.repeat(60)}!`, clear: true })).toMatchObject({
      status: 'OK',
    });
    expect(await mcp('view-locate', { target: { textMatches: '^(a+)+$' } })).toMatchObject({
      errorCode: 'ELEMENT_NOT_FOUND',
    });
    expect(await mcp('input', { target, text: 'n', clear: true })).toMatchObject({ status: 'OK' });
  });
  test('a dump tells what differs from the last one', async () => {
    await mcp('layout-dump', {});
    expect(await mcp('layout-dump', { diff: true })).toMatchObject({
      data: { layout: 'nothing has changed' },
    });
    await mcp('tap', { target: { resourceId: 'add' } });
    const { data } = await cli('layout-dump', '--diff');
    expect(data['layout']).toMatch(/^~ e\d+ .*#count/m);
    expect(data['layout']).not.toContain('#add');
  });
  test('a name that cannot be started leaves the app running', async () => {
    expect(await mcp('restart', { launchActivity: '.Nope' })).toMatchObject({
      errorCode: 'ACTIVITY_NOT_STARTED',
      data: { started: 'dev.jugg.sample.counter/.MainActivity' },
    });
    expect(await mcp('view-locate', { target: { resourceId: 'add' } })).toMatchObject({ status: 'OK' });
    expect(await mcp('restart', { launchActivity: '; reboot' })).toMatchObject({
      errorCode: 'INVALID_PARAMS',
    });
  });
  test('strict arguments', async () => {
    for (const args of [
      {},
      { text: 'a\uD800' },
      { text: 'a', key: 'TAB' },
      { key: 'TAB', clear: true },
      { key: 'a b' },
      { txt: 'a' },
    ])
      expect(await mcp('input', args)).toMatchObject({ errorCode: 'INVALID_PARAMS' });
    expect(await mcp('input', { text: 'a', target: { text: 'nowhere' } })).toMatchObject({
      errorCode: 'ELEMENT_NOT_FOUND',
    });
    expect(await mcp('input', { text: 'a', target: { className: 'Button' } })).toMatchObject({
      errorCode: 'MULTIPLE_ELEMENTS',
    });
  });
});

describe('view-inspect', () => {
  test('the same through both doors', async () => {
    const expressions = ['text', 'getTextSize()', 'nothing'];
    const expected = {
      status: 'OK',
      data: {
        resourceId: 'dev.jugg.sample.counter:id/add',
        density: 420,
        values: [
          { expression: 'text', value: 'Add' },
          { expression: 'getTextSize()', value: expect.any(Number), type: 'float' },
          { expression: 'nothing', value: null, type: 'error', error: expect.any(String) },
        ],
      },
    };
    expect(await mcp('view-inspect', { target: { resourceId: 'add' }, expressions })).toMatchObject(expected);
    expect(
      await cli('view-inspect', '--target-resource-id', 'add', '--expressions', JSON.stringify(expressions)),
    ).toMatchObject(expected);
    expect(await mcp('view-inspect', { target: { resourceId: 'add' } })).toMatchObject({ status: 'OK' });
  });
  test('strict arguments', async () => {
    const target = { resourceId: 'add' };
    for (const expressions of [[], Array.from({ length: 21 }, () => 'text'), [1]])
      expect(await mcp('view-inspect', { target, expressions })).toMatchObject({
        errorCode: 'INVALID_PARAMS',
      });
  });
});

describe('explain', () => {
  test(
    'what the next deploy then does',
    async () => {
      expect(await mcp('explain', {})).toMatchObject({
        status: 'OK',
        data: { rule: 'P6-no-changes', files: [] },
      });
      await appendFile(join(home.project, COUNT_TEXT), '\nfun one(): Int = 1\n');
      const said = await cli('explain');
      expect(said).toMatchObject({
        status: 'OK',
        data: { rule: 'P7-incremental', files: [join(home.project, COUNT_TEXT)] },
      });
      expect(await mcp('explain', { variant: 'release' })).toMatchObject({
        errorCode: 'FEATURE_NOT_SUPPORTED',
      });
      expect(await cli('deploy')).toMatchObject({ status: 'OK', data: { files: { compiledTotal: 1 } } });
      expect(await cli('explain')).toMatchObject({ data: { rule: 'P6-no-changes' } });
    },
    SLOW,
  );
});

describe('app', () => {
  test(
    'a link starts a stopped app with the newest code',
    async () => {
      const file = join(home.project, COUNT_TEXT);
      await writeFile(file, (await readFile(file, 'utf8')).replace('"Count: $count"', '"Now: $count"'));
      expect(await cli('deploy')).toMatchObject({ data: { deployType: 'HOT_RELOAD' } });
      expect(await mcp('app', { action: 'stop' })).toMatchObject({ data: { wasRunning: true } });
      expect(await cli('app', '--action', 'open', '--uri', 'counter://a?b&c')).toMatchObject({
        status: 'OK',
        data: { component: 'dev.jugg.sample.counter/.MainActivity', uri: 'counter://a?b&c' },
      });
      expect(await mcp('view-locate', { target: { text: 'Now: 0' } })).toMatchObject({ status: 'OK' });
    },
    SLOW,
  );
  test('the same through both doors', async () => {
    const permission = 'android.permission.CAMERA';
    expect(await mcp('app', { action: 'grant', permission: 'CAMERA' })).toMatchObject({
      status: 'OK',
      data: { action: 'grant', permission, granted: true },
    });
    expect(await cli('app', '--action', 'revoke', '--permission', permission)).toMatchObject({
      data: { permission, granted: false },
    });
    expect(await mcp('app', { action: 'stop' })).toMatchObject({ data: { action: 'stop' } });
    expect(await cli('app', '--action', 'clear')).toMatchObject({
      data: { action: 'clear', wasRunning: false },
    });
    expect(await mcp('app', { action: 'open', uri: 'nobody:takes-this' })).toMatchObject({
      errorCode: 'ACTIVITY_NOT_STARTED',
    });
  });
  test('strict arguments', async () => {
    for (const args of [
      {},
      { action: 'grant' },
      { action: 'open' },
      { action: 'open', uri: 'no scheme' },
      { action: 'stop', uri: 'a:b' },
      { action: 'reboot' },
    ])
      expect(await mcp('app', args)).toMatchObject({ errorCode: 'INVALID_PARAMS' });
    expect(await mcp('app', { action: 'stop', package: 'no.such.app' })).toMatchObject({
      errorCode: 'APP_NOT_INSTALLED',
    });
  });
});

describe('a permission dialog', () => {
  const dialog = 'com.android.permissioncontroller';

  test(
    'stands over the app that was started; it is read and answered as another package',
    async () => {
      await cli('app', '--action', 'revoke', '--permission', 'android.permission.CAMERA');
      const activity = join(home.project, 'app/src/main/kotlin/dev/jugg/sample/counter/MainActivity.kt');
      const text = await readFile(activity, 'utf8');
      const asks = 'requestPermissions(arrayOf(android.Manifest.permission.CAMERA), 7)\n';
      await writeFile(
        activity,
        text.replace(/(super\.onCreate\(savedInstanceState\)\n)/, `$1        ${asks}`),
      );
      const deployed = await cli('deploy', '--always-restart-app');
      expect(deployed.message).toContain('GrantPermissionsActivity is in front of it');
      expect(await mcp('tap', { target: { resourceId: 'add' } })).toMatchObject({
        errorCode: 'APP_NOT_FOREGROUND',
        message: expect.stringContaining(`pass package "${dialog}"`),
      });
      expect(
        await cli('view-locate', '--package', dialog, '--target-text-contains', 'Counter'),
      ).toMatchObject({
        status: 'OK',
      });
      const target = { resourceId: 'permission_allow_foreground_only_button' };
      expect(await mcp('tap', { package: dialog, target })).toMatchObject({ data: { changed: true } });
      expect(await mcp('tap', { target: { resourceId: 'add' } })).toMatchObject({ data: { changed: true } });
      await writeFile(activity, text);
      expect((await cli('deploy', '--always-restart-app')).message).not.toContain('in front of it');
    },
    SLOW,
  );
});

describe('doctor', () => {
  test(
    'tries the device with a tiny app, and leaves nothing of it',
    async () => {
      const done = await cli('doctor', '--self-test');
      const checks: unknown = done.data['checks'];
      const tried = Array.isArray(checks) ? checks.filter(({ name }) => name.startsWith('self-test: ')) : [];
      expect(tried).toMatchObject(
        [
          'build',
          'install and start',
          'read the views',
          'press a button',
          'change the code',
          'run the changed code',
          'read the log',
          'remove',
        ].map((step) => ({ name: `self-test: ${step}`, ok: true })),
      );
      expect(await mcp('app', { action: 'stop', package: 'dev.jugg.selftest' })).toMatchObject({
        errorCode: 'APP_NOT_INSTALLED',
      });
      expect(await mcp('doctor', { selfTest: true, serial: 'nobody' })).toMatchObject({
        errorCode: 'NO_DEVICE',
      });
    },
    SLOW,
  );
});
