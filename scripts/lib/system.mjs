import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** What must be on the machine, or helps. `for`: the purposes that want it. */
const TOOLS = [
  {
    command: 'javac',
    args: ['-version'],
    required: true,
    debian: 'openjdk-17-jdk-headless',
    macos: 'brew install openjdk@17',
    windows: 'winget install EclipseAdoptium.Temurin.17.JDK',
    for: ['demo', 'test', 'check', 'bench'],
    what: 'a JDK 17 or newer',
  },
  {
    command: 'mvn',
    args: ['-version'],
    required: true,
    debian: 'maven',
    macos: 'brew install maven',
    windows: 'winget install Apache.Maven',
    for: ['demo', 'test', 'check', 'bench'],
    what: 'Maven',
  },
  {
    command: 'adb',
    args: ['version'],
    required: false,
    debian: 'adb',
    for: ['test'],
    what: 'adb, a referee in the tests',
  },
  {
    command: 'mksh',
    args: ['-c', 'true'],
    required: false,
    debian: 'mksh',
    for: ['test'],
    what: "mksh (Android's shell), a referee in the tests",
  },
  {
    command: 'toybox',
    args: ['true'],
    required: false,
    debian: 'toybox',
    for: ['test'],
    what: "toybox (Android's commands), a referee in the tests",
  },
  {
    command: 'apksigner',
    args: ['--version'],
    required: false,
    debian: 'apksigner',
    for: ['test'],
    what: 'apksigner, a referee in the tests',
  },
  {
    command: 'zipalign',
    args: ['-h'],
    // It knows no argument that ends well.
    anyExit: true,
    required: false,
    debian: 'zipalign',
    for: ['test'],
    what: 'zipalign, a referee in the tests',
  },
];

function works({ command, args, anyExit = false }) {
  return new Promise((resolve) => {
    const shell = process.platform === 'win32' && command === 'mvn';
    const child = spawn(shell ? 'mvn.cmd' : command, args, { stdio: 'ignore', shell });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(anyExit || code === 0));
  });
}

export async function missingTools(purpose) {
  const wanted = TOOLS.filter((tool) => tool.for.includes(purpose));
  const found = await Promise.all(wanted.map((tool) => works(tool)));
  return wanted.filter((_tool, index) => !found[index]);
}

async function isDebian() {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID(_LIKE)?=.*debian/m.test(release);
}

/** Installs packages when this is Debian (or its kin) and the user is root; otherwise does nothing. */
export async function installOnDebian(tools) {
  if (process.getuid?.() !== 0 || !(await isDebian())) return;
  const packages = tools.map((tool) => tool.debian);
  console.error(`setup: installing ${packages.join(', ')} with apt-get …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await apt(['-qq', 'update'], env);
  await apt(['-qq', '-y', '--no-install-recommends', 'install', ...packages], env);
}

function apt(args, env) {
  return new Promise((resolve) => {
    const child = spawn('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', () => resolve());
    child.on('exit', () => resolve());
  });
}

export function explainMissing(tools) {
  const lines = tools.map(
    (tool) =>
      `  ${tool.what}:\n    Debian, Ubuntu: apt-get install ${tool.debian}\n    macOS: ${tool.macos}\n    Windows: ${tool.windows}`,
  );
  return `Jugg needs these on the PATH, and they are missing:\n${lines.join('\n')}`;
}
