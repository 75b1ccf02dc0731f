import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDirect } from '../../../jugg/src/adb/direct.ts';
import { adbConnection } from '../../../jugg/src/adb/connection.ts';
import type { AdbConnection, ShellResult } from '../../../jugg/src/adb/types.ts';
import { startTestDevice } from '../support/test-device.ts';
import type { TestDevice } from '../support/test-device.ts';

let vd: TestDevice;
let adb: AdbConnection;
let close = (): void => {};

beforeAll(async () => {
  vd = await startTestDevice();
  const transport = await connectDirect({ host: '127.0.0.1', port: vd.port });
  if (!transport.ok) throw new Error(transport.fault.message);
  close = () => transport.value.close();
  adb = adbConnection(transport.value);
});

afterAll(async () => {
  close();
  await vd.stop();
});

async function sh(script: string, stdin?: string): Promise<ShellResult> {
  const result = await adb.shell(script, stdin === undefined ? {} : { stdin });
  if (!result.ok) throw new Error(result.fault.message);
  return result.value;
}

/** What the host's own shell makes of the same script: the referee for everything that is not Android's. */
function hostShell(script: string): Promise<{ stdout: string; exitCode: number }> {
  return new Promise((resolve) => {
    execFile(
      '/bin/sh',
      ['-c', script],
      { cwd: '/', env: { PATH: '/usr/bin:/bin', HOME: '/' } },
      (error, stdout) => {
        resolve({ stdout, exitCode: typeof error?.code === 'number' ? error.code : 0 });
      },
    );
  });
}

describe.skipIf(process.platform === 'win32')('as a POSIX shell', () => {
  test.each([
    'echo a b   c',
    'echo "a  b" \'c  d\' e\\ f',
    'x=1; y="$x 2"; echo $y "$y" \'$y\' ${y}z',
    'x="a  b"; echo $x "$x"; set -- $x; echo $#',
    'echo ${u:-none} ${u-none}; u=; echo ${u:-none} "${u-none}" ${u:+set}; : ${v:=5}; echo $v ${#v}',
    'f=dir/sub/name.tar.gz; echo ${f##*/} ${f#*/} ${f%.*} ${f%%.*} ${f%/*}',
    'false; echo $?; true; echo $?; (exit 5); echo $?',
    'false && echo no; true && echo yes; false || echo or; true || echo no; echo end',
    'false || true && echo both; true && false || echo third',
    '! true; echo $?; ! false; echo $?',
    'if false; then echo a; elif true; then echo b; else echo c; fi',
    'if true; then echo a; fi && echo then; if false; then echo x; fi; echo $?',
    'for i in 1 2 "3 4"; do echo "<$i>"; done; for j in; do echo never; done',
    'i=0; while [ $i -lt 5 ]; do i=$((i+1)); if [ $i -eq 2 ]; then continue; fi; if [ $i -eq 4 ]; then break; fi; echo $i; done',
    'i=3; until [ $i -eq 0 ]; do echo $i; i=$((i-1)); done',
    'for a in 1 2; do for b in x y; do [ $b = y ] && continue 2; echo $a$b; done; done',
    'case foo.txt in *.c) echo c;; *.txt|*.md) echo text;; *) echo other;; esac',
    'case "a b" in "a b") echo quoted;; esac; case x in [a-c]) echo no;; [!a-c]) echo yes;; esac',
    'echo $((1+2*3)) $(( (1+2)*3 )) $((7/2)) $((-7%3)) $((3>2)) $((2==3)) $((1<<4))',
    'x=4; echo $((x*x)) $(($x+1))',
    'echo $(echo inner; echo second) "$(echo a; echo b)"',
    'echo `echo back` $(echo $(echo deep))',
    'echo one | cat; printf "b\\na\\nc\\n" | sort | head -n 2 | tail -n 1',
    'printf "%s-%d\\n" a 1 b 2; printf "%5s|%-5s|%05d\\n" ab cd 42; printf "%%\\n"; printf "%x\\n" 255',
    '{ echo g; echo h; } | wc -l | tr -d " "',
    '(x=2; echo $x); echo ${x:-unset}',
    'x=1 sh -c "echo in: \\$x"; echo out: ${x:-unset}',
    'set -- a "b c" d; echo $# "$2"; for w in "$@"; do echo "[$w]"; done; shift; echo $1; echo "$*"',
    'echo a; # comment ; echo b\necho c#d',
    'echo "quote \\" dollar \\$HOME back \\\\ tick \\`"',
    "echo 'it'\\''s'",
    'echo a\\\nb',
    'true; echo x >/dev/null; echo err >&2; echo out 2>/dev/null',
    'test -n "" || echo empty; [ a != b ] && echo ne; [ 1 -lt 2 -a 2 -lt 3 ] && echo and; [ ! -e /nope ] && echo missing',
    'test; echo $?; [ "" ]; echo $?; [ x ]; echo $?; [ "-f" ]; echo $?',
    'read a b; echo "$a|$b"',
    'echo "a b c" | { read x y; echo "$y $x"; }',
    'printf "1\\n2\\n3\\n" | while read n; do echo "n=$n"; done',
    'echo a > /dev/null; cat < /dev/null; echo $?',
    'echo "*" \\* \'?\'; echo /nope*',
    'eval "echo evaluated; y=7"; echo $y',
    'seq 3 | xargs echo; seq 2 4; seq 1 2 5; echo "a b" | xargs -n 1 echo',
    'printf "a:b:c\\n" | cut -d: -f2,3; printf "hello\\n" | cut -c2-3; printf "x\\nx\\ny\\n" | uniq -c | tr -s " "',
    'printf "apple\\nbanana\\ncherry\\n" | grep -n an; printf "a.b\\naxb\\n" | grep -F a.b; printf "one\\ntwo\\n" | grep -vc one; printf "Ab\\n" | grep -i aB; echo x | grep -q y; echo $?',
    'printf "a1\\nb2\\n" | grep -E "[a-z]([0-9])"; printf "foo bar\\n" | grep -ow ba; printf "ab\\n" | grep "a\\(b\\)"',
    'basename /a/b/c.txt .txt; dirname /a/b/c.txt; dirname x; basename /a/',
    'printf abc | md5sum; printf abc | sha256sum; printf hello | base64; echo aGVsbG8= | base64 -d',
    'printf "3\\n10\\n2\\n" | sort -n; printf "b 2\\na 1\\n" | sort -k 2; printf "x\\ny\\n" | sort -r',
    'printf "abc" | tr a-c A-C; printf "a b" | tr -d " "; printf "lower" | tr "[:lower:]" "[:upper:]"',
    'date -u -d @0 +%Y-%m-%dT%H:%M:%S',
    'exit 7; echo never',
    'exit 300',
    'set -e; false; echo never',
    'set -e; if false; then :; fi; false || true; echo here',
    'cd /; pwd; cd /nope 2>/dev/null || echo no; cd ./; pwd',
    'nosuchcommand 2>/dev/null; echo $?',
    'echo ${HOME} $HOME; HOME=/x; echo ~ ~/y "~"',
    'printf "%s\\n" "$(printf "a\\n\\n\\n")" end',
    '(exit 3) & wait $!; echo $?; true & wait; echo $?; wait 99999; echo $?',
    'sleep 100 & kill -0 $! && echo there; kill $!; wait $! 2>/dev/null; [ $? -ne 0 ] && echo killed',
    'sleep 100 & (kill $!; echo from below); wait $! 2>/dev/null; kill $! 2>/dev/null || echo gone',
    '(sleep 0.01; echo one) & wait; echo two; sleep 100 & kill -9 $!; wait $! 2>/dev/null; echo $?',
    'x="1 2"; for i in $x; do echo $i; done; IFS=:; y=a:b; for i in $y; do echo $i; done',
  ])('%s', async (script) => {
    const [ours, theirs] = await Promise.all([
      sh(script, 'first second third\n'),
      hostShell(script.replace('read a b;', 'a=first; b="second third";')),
    ]);
    expect({ stdout: ours.stdout, exitCode: ours.exitCode }).toEqual(theirs);
  });
});

describe('as Android', () => {
  test.each([
    ['nosuch', '', '/system/bin/sh: nosuch: inaccessible or not found\n', 127],
    [
      '/data/local/tmp/nosuch',
      '',
      '/system/bin/sh: /data/local/tmp/nosuch: inaccessible or not found\n',
      127,
    ],
    ['ls /nope', '', 'ls: /nope: No such file or directory\n', 1],
    ['cat /sdcard', '', 'cat: /sdcard: Is a directory\n', 1],
    ['ls /data', '', 'ls: /data: Permission denied\n', 1],
    ['ls /data/data/com.x', '', 'ls: /data/data/com.x: Permission denied\n', 1],
    ['echo x > /system/x', '', "/system/bin/sh: can't create /system/x: Read-only file system\n", 1],
    ['rm /system/bin/ls', '', 'rm: /system/bin/ls: Read-only file system\n', 1],
    [
      'cat /proc/self/../../etc/passwd',
      '',
      'cat: /proc/self/../../etc/passwd: No such file or directory\n',
      1,
    ],
    [
      'cat ../../../../../../etc/hostname',
      '',
      'cat: ../../../../../../etc/hostname: No such file or directory\n',
      1,
    ],
    ['id -u; whoami', '2000\nshell\n', '', 0],
    ['which ls nosuch', '/system/bin/ls\n', '', 1],
    ['getprop ro.build.version.sdk', '35\n', '', 0],
    ['getprop ro.jugg.virtual', '1\n', '', 0],
    ['getprop no.such.property', '\n', '', 0],
    ['setprop debug.jugg.x 5; getprop debug.jugg.x', '5\n', '', 0],
    ['echo $EXTERNAL_STORAGE; readlink -f /sdcard', '/sdcard\n/storage/emulated/0\n', '', 0],
    ['if true; then echo', '', "/system/bin/sh: syntax error: unmatched 'if'\n", 1],
    ['echo "open', '', '/system/bin/sh: no closing quote\n', 1],
    ['timeout 0.05 sleep 5', '', '', 124],
  ] as const)('%s', async (script, stdout, stderr, exitCode) => {
    expect(await sh(script)).toEqual({ stdout, stderr, exitCode });
  });

  test('files, modes, links and globs', async () => {
    const result = await sh(
      [
        'cd /data/local/tmp && mkdir -p t/sub && cd t',
        'echo one > a.txt; echo two >> a.txt; echo three > b.txt; touch .hidden',
        'chmod 600 a.txt; chmod u+x b.txt; stat -c %a a.txt b.txt; ls *.txt; ls -a | head -3; echo s*',
        'ln -s a.txt link; cat link; readlink link; ln -s /etc/passwd out; cat out 2>&1',
        'cp a.txt sub/; mv b.txt sub/c.txt; ls sub; rm -r sub; ls',
        'rmdir /data/local/tmp/t 2>&1; rm -rf /data/local/tmp/t; [ -e /data/local/tmp/t ] || echo gone',
      ].join('\n'),
    );
    expect(result.stdout.split('\n').join(' ')).toBe(
      '600 766 a.txt b.txt . .. .hidden sub one two a.txt cat: out: No such file or directory ' +
        'a.txt c.txt a.txt link out rmdir: /data/local/tmp/t: Directory not empty gone ',
    );
  });

  test('a link that leads out of the device is followed inside of it', async () => {
    await sh('mkdir -p /data/local/tmp/esc; ln -s ../../../../../../../../etc /data/local/tmp/esc/up');
    expect((await sh('cat /data/local/tmp/esc/up/hostname')).exitCode).toBe(1);
    expect(await adb.pull('/data/local/tmp/esc/up/hostname')).toMatchObject({
      ok: false,
      fault: { data: { deviceMessage: 'open failed: No such file or directory' } },
    });
  });

  test('a script file runs with its arguments', async () => {
    await adb.push(
      Buffer.from('#!/system/bin/sh\necho "script $1 of $#"\nexit 4\n'),
      '/data/local/tmp/run.sh',
    );
    expect(await sh('/data/local/tmp/run.sh')).toMatchObject({
      exitCode: 126,
      stderr: "/system/bin/sh: /data/local/tmp/run.sh: can't execute: Permission denied\n",
    });
    expect(await sh('sh /data/local/tmp/run.sh x y')).toMatchObject({
      stdout: 'script x of 2\n',
      exitCode: 4,
    });
    expect(await sh('chmod 755 /data/local/tmp/run.sh; /data/local/tmp/run.sh z')).toMatchObject({
      stdout: 'script z of 1\n',
      exitCode: 4,
    });
  });

  test('a reader that stops ends the writer', async () => {
    expect((await sh('yes | head -n 2')).stdout).toBe('y\ny\n');
  });

  test('ls -l has the columns of toybox', async () => {
    await sh('echo 12345 > /sdcard/l.txt; chmod 644 /sdcard/l.txt');
    const { stdout } = await sh('ls -l /sdcard/l.txt');
    expect(stdout).toMatch(/^-rw-r--r-- 1 media_rw media_rw 6 \d{4}-\d\d-\d\d \d\d:\d\d \/sdcard\/l\.txt\n$/);
  });
});

describe('at a terminal', () => {
  /** Types keys into `adb shell`, as the real adb opens it at a terminal; answers what the screen shows. */
  async function type(...keys: readonly string[]): Promise<string> {
    const opened = await adb.openStream('shell,TERM=xterm-256color,pty:');
    if (!opened.ok) throw new Error(opened.fault.message);
    const stream = opened.value;
    let shown = '';
    stream.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
    });
    const ended = new Promise<void>((resolve) => {
      stream.once('close', () => resolve());
    });
    for (const key of keys) {
      stream.write(key);
      // What was typed is on the screen before the next key comes.
      const before = shown;
      await expect.poll(() => shown, { interval: 5, timeout: 20_000 }).not.toBe(before);
    }
    stream.write('exit\r');
    await ended;
    return shown;
  }

  test('lines are echoed, edited and run', async () => {
    expect(await type('echo ab\x7f\x7fxy\r', 'cd /sdcard\r')).toBe(
      'jugg:/ $ echo ab\b \b\b \bxy\r\nxy\r\njugg:/ $ cd /sdcard\r\njugg:/sdcard $ exit\r\n',
    );
  });

  test('^C ends what runs, not the shell', async () => {
    expect(await type('sleep 60\r', '\u0003', 'echo $?\r')).toBe(
      'jugg:/ $ sleep 60\r\n^C\r\njugg:/ $ echo $?\r\n130\r\njugg:/ $ exit\r\n',
    );
  });

  test('^D at an empty line ends the shell', async () => {
    const opened = await adb.openStream('shell,pty:');
    if (!opened.ok) throw new Error(opened.fault.message);
    opened.value.write('\u0004');
    let shown = '';
    for await (const chunk of opened.value) shown += String(chunk);
    expect(shown).toBe('jugg:/ $ ');
  });
});
