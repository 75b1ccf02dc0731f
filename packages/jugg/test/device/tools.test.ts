import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice } from '../../src/device/index.ts';
import type { Device, InspectedValue, TextRequest } from '../../src/device/types.ts';
import { MAIN, RES, valueOf } from '../engine/support.ts';
import { APP, never, Stage } from './stage.ts';

const CAMERA = 'android.permission.CAMERA';

let stage: Stage;
let device: Device;
beforeAll(async () => {
  stage = await Stage.open('tools-test');
  ({ device } = stage);
  await stage.bench.replace(
    'app/src/main/AndroidManifest.xml',
    '<application',
    `<uses-permission android:name="${CAMERA}" />\n<application`,
  );
  await stage.bench.replace(
    'app/src/main/AndroidManifest.xml',
    '</intent-filter>',
    `</intent-filter>
     <intent-filter>
       <action android:name="android.intent.action.VIEW" />
       <category android:name="android.intent.category.DEFAULT" />
       <data android:scheme="counter" android:host="open" />
     </intent-filter>`,
  );
  await stage.bench.replace(`${RES}/layout/actions.xml`, '</LinearLayout>', SECRET);
  await stage.bench.replace(
    `${MAIN}/MainActivity.kt`,
    'Log.i(TAG, "COUNTER_READY")',
    'Log.i(TAG, "COUNTER_READY ${intent.dataString} ${intent.getStringExtra("from")}")',
  );
  await stage.deploy();
});
afterAll(() => stage?.close());

const SECRET = `<EditText
    android:id="@+id/secret"
    android:layout_width="120dp"
    android:layout_height="48dp"
    android:inputType="textPassword" />
  </LinearLayout>`;

async function request(resourceId: string, given: Partial<TextRequest>): Promise<TextRequest> {
  const { node, center } = await stage.see({ resourceId });
  return { text: '', clear: false, submit: false, field: { ref: node.ref, center }, ...given };
}

describe('text inside the app', () => {
  test('of any script, which the app hears of', async () => {
    const text = 'Grüße 東京 👋🏽 عربى';
    const entered = valueOf(await device.enterText(APP, await request('name', { text }), never));
    expect(entered).toEqual({ by: 'inspector', text, verified: true, password: false });
    await stage.see({ resourceId: 'greeting', textContains: '東京' });
  });
  test('goes on where the cursor is, in the field that has the focus', async () => {
    const first = { text: 'a', field: null, clear: true, submit: false };
    expect(valueOf(await device.enterText(APP, first, never))).toMatchObject({ text: 'a', verified: true });
    const next = { ...first, text: 'b c', clear: false };
    expect(valueOf(await device.enterText(APP, next, never))).toMatchObject({ text: 'ab c', verified: true });
  });
  test('clear, with nothing behind it', async () => {
    const entered = valueOf(await device.enterText(APP, await request('name', { clear: true }), never));
    expect(entered).toMatchObject({ text: '', verified: true });
  });
  test('passwords are entered and not shown', async () => {
    const wish = await request('secret', { text: 'tiger', submit: true });
    const entered = valueOf(await device.enterText(APP, wish, never));
    expect(entered).toEqual({ by: 'inspector', text: null, verified: true, password: true });
  });
  test('what is no field takes none', async () => {
    expect(await device.enterText(APP, await request('add', { text: 'a' }), never)).toMatchObject({
      fault: { code: 'ELEMENT_NOT_FOUND' },
    });
  });
});

describe('values of views', () => {
  async function values(resourceId: string, expressions: readonly string[] | null, allowAppGetters = false) {
    const { node } = await stage.see({ resourceId });
    const wish = { ref: node.ref, expressions, allowAppGetters };
    return valueOf(await device.inspect(APP, wish, never));
  }
  const brief = (list: readonly InspectedValue[]): unknown[] =>
    list.map(({ value, type, error }) => error ?? [value, type]);

  test('by getters, chains, fields and arguments', async () => {
    const read = await values('count', [
      'text',
      'getText().length()',
      'getTextSize',
      'textSize',
      'isShown',
      'layoutParams.height',
      'getPaint.getTextSize',
      'getParent()',
      'context.packageName',
      'getResources().getString(17039370)',
      'canScrollVertically(1)',
      'visibility',
      'layoutParams.class.name',
      'id',
    ]);
    expect(brief(read)).toEqual([
      ['Count: 0', expect.any(String)],
      [8, 'int'],
      [105, 'float'],
      [105, 'float'],
      [true, 'boolean'],
      [-2, 'int'],
      [105, 'float'],
      expect.stringContaining('not on the list'),
      [APP, 'java.lang.String'],
      ['OK', 'java.lang.String'],
      [false, 'boolean'],
      [0, 'int'],
      ['android.widget.LinearLayout$LayoutParams', 'java.lang.String'],
      [expect.any(Number), 'int'],
    ]);
  });

  test('a failing one fails alone', async () => {
    const read = await values('count', [
      'nothing',
      'setText("x")',
      'a..b',
      'tag.foo',
      'getDrawingCache()',
      'context.getSystemService("power")',
      'class.classLoader',
      'getResources().getString(1)',
      'width',
    ]);
    expect(brief(read)).toEqual([
      expect.stringContaining('has no getNothing or isNothing'),
      expect.stringContaining('setText() may not be called'),
      expect.stringContaining('expected a name'),
      'null has no foo',
      expect.stringContaining('not on the list'),
      expect.stringContaining('not on the list'),
      expect.stringContaining('not on the list'),
      expect.stringContaining('NotFoundException'),
      [expect.any(Number), 'int'],
    ]);
    await stage.see({ text: 'Count: 0' });
  });

  test('of the app’s own classes plain getters, and others when allowed', async () => {
    expect(brief(await values('steps', ['step', 'getStep()', 'childCount']))).toEqual([
      expect.stringContaining('is code of the app'),
      expect.stringContaining('is code of the app'),
      [0, 'int'],
    ]);
    expect(brief(await values('steps', ['step'], true))).toEqual([[1, 'int']]);
  });

  test('a standard set without errors', async () => {
    const read = await values('add', null);
    expect(read.filter(({ error }) => error !== undefined)).toEqual([]);
    const byName = Object.fromEntries(read.map(({ expression, value }) => [expression, value]));
    expect(byName).toMatchObject({ text: 'Add', isEnabled: true, isShown: true, alpha: 1 });
  });

  test('no password gets out', async () => {
    const wish = await request('secret', { text: 'tiger', clear: true });
    valueOf(await device.enterText(APP, wish, never));
    const read = await values('secret', [
      'text',
      'getText().toString()',
      'editableText',
      'layout.text',
      'toString()',
      'text.length()',
    ]);
    expect(JSON.stringify(read)).not.toContain('tiger');
    expect(read[5]?.value).toBe(5);
  });

  test('of something that is only drawn', async () => {
    const { node } = await stage.see({ contentDesc: 'Step 5' });
    const wish = { ref: node.ref, expressions: ['isChecked', 'className'], allowAppGetters: false };
    const read = valueOf(await device.inspect(APP, wish, never));
    expect(read.map(({ value }) => value)).toEqual([false, 'android.widget.RadioButton']);
  });

  test('a ref that is gone', async () => {
    const wish = { ref: 'e999999', expressions: ['width'], allowAppGetters: false };
    expect(await device.inspect(APP, wish, never)).toMatchObject({ fault: { code: 'ELEMENT_NOT_FOUND' } });
  });
});

test('keys', async () => {
  const { node, center } = await stage.see({ resourceId: 'name' });
  valueOf(await device.enterText(APP, await request('name', { text: 'ab', clear: true }), never));
  valueOf(await device.focus(APP, { ref: node.ref, center }, never));
  valueOf(await device.pressKey('DEL', never));
  await stage.see({ resourceId: 'name', text: 'a' });
  expect(await device.pressKey('NO_SUCH_KEY', never)).toMatchObject({ fault: { code: 'INVALID_PARAMS' } });
  await stage.tap({ text: 'History' });
  await stage.see({ resourceId: 'empty' });
  valueOf(await device.pressKey('BACK', never));
  await stage.see({ resourceId: 'count' });
});

describe('without an inspector', () => {
  test('ASCII is typed by the input tool, anything else is refused', async () => {
    const plain = createDevice(stage.connection, { kind: 'usb', name: null });
    const wish = await request('name', { text: '100%s of it', clear: true });
    expect(valueOf(await plain.enterText(APP, wish, never))).toEqual({
      by: 'input',
      text: '100%s of it',
      verified: true,
      password: false,
    });
    expect(await plain.enterText(APP, { ...wish, text: 'é' }, never)).toMatchObject({
      fault: { code: 'TEXT_NOT_ASCII' },
    });
    const inspect = { ref: 'e1', expressions: null, allowAppGetters: false };
    expect(await plain.inspect(APP, inspect, never)).toMatchObject({
      fault: { code: 'FEATURE_NOT_SUPPORTED' },
    });
    await plain.close();
  });
});

describe('the app as a whole', () => {
  const granted = async (): Promise<string> =>
    valueOf(await stage.connection.shell(['dumpsys', 'package', APP], { signal: never })).stdout;

  test('permissions', async () => {
    valueOf(await device.setPermission(APP, { permission: CAMERA, granted: true }, never));
    expect(await granted()).toContain(`${CAMERA}: granted=true`);
    valueOf(await device.setPermission(APP, { permission: CAMERA, granted: false }, never));
    expect(await granted()).not.toContain(`${CAMERA}: granted=true`);
    const other = { permission: 'android.permission.RECORD_AUDIO', granted: true };
    expect(await device.setPermission(APP, other, never)).toMatchObject({
      fault: { code: 'INVALID_PARAMS', message: expect.stringContaining('has not requested') },
    });
  });

  test('stop ends every process, and a link starts it', async () => {
    valueOf(await device.stop(APP, never));
    expect(valueOf(await device.processes(APP, never))).toEqual([]);
    const link = { packageName: APP, uri: 'counter://open/a?b=c&d=$(e)', extras: { from: "it's me" } };
    expect(valueOf(await device.openUri(link, never)).component).toBe(`${APP}/.MainActivity`);
    const logs = valueOf(await device.logs({ sinceMs: null }, never));
    expect(
      logs.at(-1) && logs.some(({ message }) => message.includes("counter://open/a?b=c&d=$(e) it's me")),
    ).toBe(true);
  });

  test('a link that nothing takes', async () => {
    const link = { packageName: APP, uri: 'nobody://takes/this', extras: {} };
    expect(await device.openUri(link, never)).toMatchObject({ fault: { code: 'ACTIVITY_NOT_STARTED' } });
  });

  test('clear takes the data and the process', async () => {
    const files = ['run-as', APP, 'ls', 'files'];
    valueOf(await stage.connection.shell(['run-as', APP, 'touch', 'files/mark'], { signal: never }));
    expect(valueOf(await stage.connection.shell(files, { signal: never })).stdout).toContain('mark');
    valueOf(await device.clear(APP, never));
    expect(valueOf(await device.processes(APP, never))).toEqual([]);
    expect(valueOf(await stage.connection.shell(files, { signal: never })).stdout).not.toContain('mark');
    expect(await device.clear('no.such.app', never)).toMatchObject({
      fault: { code: 'FEATURE_NOT_SUPPORTED' },
    });
  });
});
