import { setTimeout as delay } from 'node:timers/promises';
import { uidName } from '../fs/layout.ts';
import { parseOptions } from '../shell/command.ts';
import type { Command, CommandContext } from '../shell/command.ts';
import { cpuTimes, resident } from './dump-system.ts';
import type { Services } from './services.ts';

/** What `/proc/meminfo` says, in KB. */
const MEMORY = { total: 4_096_000, free: 2_048_000, available: 3_072_000 };

export function memoryCommands(services: Services): readonly (readonly [string, Command])[] {
  return [
    ['free', free],
    ['top', (context) => top(context, services)],
  ];
}

/** `free [-bkmg]` (toybox) */
async function free(context: CommandContext): Promise<number> {
  const { flags } = parseOptions(context.args, 'bkmgth', '');
  const unit = flags.has('g') ? 1024 ** 2 : flags.has('m') ? 1024 : flags.has('k') ? 1 : 1 / 1024;
  const cell = (kb: number): string => String(Math.floor(kb / unit)).padStart(16);
  const used = MEMORY.total - MEMORY.free;
  await context.stdout.write(
    `${' '.repeat(18)}total            used            free          shared         buffers\nMem:   ${cell(MEMORY.total)}${cell(used)}${cell(MEMORY.free)}${cell(0)}${cell(0)}\n-/+ buffers/cache:${cell(used).slice(2)}${cell(MEMORY.free)}\nSwap:  ${cell(0)}${cell(0)}${cell(0)}\n`,
  );
  return 0;
}

/** `top [-b] [-n COUNT] [-d SECONDS] [-m LINES]` (toybox): the apps, with the processor time since each began. */
async function top(context: CommandContext, services: Services): Promise<number> {
  const { values } = parseOptions(context.args, 'bqHh', 'ndmopusOk');
  const rounds = values.has('n') ? Number(values.get('n')) : Number.POSITIVE_INFINITY;
  const most = Number(values.get('m') ?? Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds && !context.signal.aborted; round++) {
    const wait = Number(values.get('d') ?? 3) * 1000;
    if (round > 0) await delay(wait, undefined, { signal: context.signal }).catch(() => undefined);
    if (!(await context.stdout.write(await table(services, most)))) return 141;
  }
  return 0;
}

async function table(services: Services, most: number): Promise<string> {
  const now = services.now();
  const rows = await Promise.all(
    services.apps.all().map(async ({ pid, uid, processName, startedMs }) => {
      const [{ userMs, kernelMs }, { rss }] = await Promise.all([cpuTimes(pid), resident(pid)]);
      const cpu = ((userMs + kernelMs) / Math.max(1, now - startedMs)) * 100;
      return { pid, uid, processName, cpu, rss, ms: userMs + kernelMs };
    }),
  );
  const sum = rows.reduce((total, row) => total + row.cpu, 0);
  const lines = rows
    .toSorted((a, b) => b.cpu - a.cpu)
    .slice(0, most)
    .map(({ pid, uid, processName, cpu, rss, ms }) => {
      const time = `${Math.floor(ms / 60_000)}:${((ms / 1000) % 60).toFixed(2).padStart(5, '0')}`;
      const share = ((rss / MEMORY.total) * 100).toFixed(1);
      return `${String(pid).padStart(5)} ${uidName(uid).padEnd(12)} 20   0  10G ${`${Math.round(rss / 1024)}M`.padStart(4)}    0 S ${cpu.toFixed(1).padStart(5)}  ${share.padStart(4)} ${time.padStart(9)} ${processName}\n`;
    });
  return `Tasks: ${rows.length + 5} total,   1 running, ${rows.length + 4} sleeping,   0 stopped,   0 zombie
  Mem:  ${MEMORY.total}K total,  ${MEMORY.total - MEMORY.free}K used,  ${MEMORY.free}K free,        0K buffers
 Swap:        0K total,        0K used,        0K free,        0K cached
100%cpu ${sum.toFixed(0).padStart(3)}%user   0%nice   0%sys ${Math.max(0, 100 - sum)
    .toFixed(0)
    .padStart(3)}%idle   0%iow   0%irq   0%sirq   0%host
  PID USER         PR  NI VIRT  RES  SHR S[%CPU] %MEM     TIME+ ARGS            
${lines.join('')}`;
}
