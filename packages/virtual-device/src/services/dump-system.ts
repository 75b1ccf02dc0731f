import { readFile } from 'node:fs/promises';
import { shortUid } from '../apps/system-log.ts';
import type { RunningApp } from '../apps/app-process-record.ts';
import type { Services } from './services.ts';

/** Ticks of a processor's clock in a second (`sysconf(_SC_CLK_TCK)`): 100 on every Linux of today. */
const TICKS = 100;

/** A physical display id as SurfaceFlinger makes it of port 0 and a manufacturer. */
export const DISPLAY_ID = '4619827259835644672';

/** `dumpsys SurfaceFlinger [--display-id | --list | --latency [layer]]` */
export async function dumpSurfaceFlinger(args: readonly string[], services: Services): Promise<string> {
  if (args.includes('--display-id'))
    return `Display ${DISPLAY_ID} (HWC display 0): port=0 pnpId=JUG displayName="Jugg"\n`;
  const layers = await layerNames(services);
  if (args.includes('--list')) return layers.map((name) => `${name}\n`).join('');
  // The refresh period in ns; no frame is timed here.
  if (args.includes('--latency')) return '16666666\n\n';
  const [width, height] = services.display.current;
  return `Build configuration: [sf PRESENT_TIME_OFFSET=0 FORCE_HWC_FOR_RBG_TO_YUV=0]\n\nDisplay ${DISPLAY_ID} (HWC display 0, primary):\n  ${width}x${height}, 60.00 Hz\n\nVisible layers (count = ${layers.length})\n${layers.map((name) => `+ Layer (${name})\n`).join('')}`;
}

async function layerNames({ apps }: Services): Promise<string[]> {
  const asked = await apps.front?.port.request('activities', {});
  if (!asked?.ok) return ['dev.jugg.launcher/dev.jugg.launcher.HomeActivity#1'];
  return asked.value.windows.map(({ component, title }, index) => {
    const [packageName = '', name = ''] = (component ?? '').split('/');
    const full = name.startsWith('.') ? packageName + name : name;
    return `${component === undefined ? title : `${packageName}/${full}`}#${index}`;
  });
}

/** User and kernel time of a process in ms; 0 where the host does not tell. */
export async function cpuTimes(pid: number): Promise<{ readonly userMs: number; readonly kernelMs: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ms = (index: number): number => (Number(fields[index] ?? 0) / TICKS) * 1000;
  return { userMs: ms(11), kernelMs: ms(12) };
}

/** `dumpsys cpuinfo` (AOSP `ProcessCpuTracker`): since each process began, from the host's own count. */
export async function dumpCpu(_args: readonly string[], services: Services): Promise<string> {
  const now = services.now();
  const rows = await Promise.all(
    services.apps.all().map(async (app) => {
      const elapsed = Math.max(1, now - app.startedMs);
      const { userMs, kernelMs } = await cpuTimes(app.pid);
      const percent = (ms: number): number => Math.round((ms / elapsed) * 1000) / 10;
      return { app, user: percent(userMs), kernel: percent(kernelMs) };
    }),
  );
  const sum = (pick: (row: (typeof rows)[number]) => number): number =>
    Math.round(rows.reduce((total, row) => total + pick(row), 0) * 10) / 10;
  const [user, kernel] = [sum((row) => row.user), sum((row) => row.kernel)];
  const lines = rows.map(
    ({ app, user: ofUser, kernel: ofKernel }) =>
      `  ${(ofUser + ofKernel).toFixed(1)}% ${app.pid}/${app.processName}: ${ofUser}% user + ${ofKernel}% kernel\n`,
  );
  return `Load: 0.0 / 0.0 / 0.0\nCPU usage from ${now - services.bootMs}ms to 0ms ago:\n${lines.join('')}${(user + kernel).toFixed(1)}% TOTAL: ${user}% user + ${kernel}% kernel\n`;
}

/** `dumpsys meminfo [process]` (AOSP `ActivityManagerService.dumpApplicationMemoryUsage`), in KB. */
export async function dumpMemory(args: readonly string[], services: Services): Promise<string> {
  const { apps } = services;
  const name = args.find((arg) => !arg.startsWith('-'));
  const app = apps.all().find((other) => other.processName === name || String(other.pid) === name);
  if (name !== undefined && !app) return `No process found for: ${name}\n`;
  const uptime = services.now() - services.bootMs;
  const head = `Applications Memory Usage (in Kilobytes):\nUptime: ${uptime} Realtime: ${uptime}\n`;
  if (app) return head + (await appMemory(app));
  const rows = await Promise.all(apps.all().map(async (each) => ({ each, ...(await resident(each.pid)) })));
  const lines = rows
    .toSorted((a, b) => b.pss - a.pss)
    .map(
      ({ each, pss }) =>
        `  ${pss.toLocaleString('en-US').padStart(9)}K: ${each.processName} (pid ${each.pid} / ${shortUid(each.uid)})\n`,
    );
  return `${head}\nTotal PSS by process:\n${lines.join('')}`;
}

async function appMemory(app: RunningApp): Promise<string> {
  const [memory, { pss, rss }] = await Promise.all([app.port.request('memory', {}), resident(app.pid)]);
  const kb = (bytes: number): number => Math.round(bytes / 1024);
  const used = memory.ok ? kb(memory.value.heapUsed) : 0;
  const size = memory.ok ? kb(memory.value.heapMax) : 0;
  const native = Math.max(0, pss - used);
  const row = (title: string, ...cells: number[]): string =>
    `${title.padStart(13)} ${cells.map((cell) => String(cell).padStart(8)).join(' ')}\n`;
  return `
** MEMINFO in pid ${app.pid} [${app.processName}] **
                   Pss  Private  Private  SwapPss      Rss     Heap     Heap     Heap
                 Total    Dirty    Clean    Dirty    Total     Size    Alloc     Free
                ------   ------   ------   ------   ------   ------   ------   ------
${row('Native Heap', native, native, 0, 0, Math.max(0, rss - used), 0, 0, 0)}${row('Dalvik Heap', used, used, 0, 0, used, size, used, size - used)}${row('TOTAL', pss, pss, 0, 0, rss, size, used, size - used)}
 App Summary
                       Pss(KB)                        Rss(KB)
                        ------                         ------
           Java Heap: ${String(used).padStart(8)}                       ${String(used).padStart(8)}
         Native Heap: ${String(native).padStart(8)}                       ${String(Math.max(0, rss - used)).padStart(8)}

           TOTAL PSS: ${String(pss).padStart(8)}            TOTAL RSS: ${String(rss).padStart(8)}      TOTAL SWAP PSS:        0
`;
}

/** What the JVM of an app holds, in KB, as the host counts it. */
export async function resident(pid: number): Promise<{ readonly pss: number; readonly rss: number }> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return { pss: field('Pss'), rss: field('Rss') };
}
