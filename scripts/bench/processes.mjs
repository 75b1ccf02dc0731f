import { readFile } from 'node:fs/promises';

/** Ticks of the processor's clock in a second: 100 on every Linux of today. */
const TICKS = 100;

/** A process and all below it. */
export async function family(pid) {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = text.split(' ').filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(children.map(family))).flat()];
}

/** Processor time of processes in ms. */
export async function cpuMs(pids) {
  let ticks = 0;
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }
  return (ticks / TICKS) * 1000;
}

/** Resident and proportional memory of a process in MB. */
export async function memoryMb(pid) {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const field = (name) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024);
  return { rss: field('Rss'), pss: field('Pss') };
}
