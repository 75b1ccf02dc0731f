import { Agent, request } from 'node:http';
import { readFile } from 'node:fs/promises';

/** One call of `version` as a client sends it; resolves with its time in ms. */
function call(target, agent) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: target.port,
        path: '/jugg-mcp',
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${target.token}`,
          'content-length': target.body.length,
        },
      },
      (response) => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(performance.now() - started)
            : reject(new Error(`HTTP ${response.statusCode}`)),
        );
      },
    );
    sent.on('error', reject);
    sent.end(target.body);
  });
}

/** Calls one after the other on each of `connections` until `calls` are done. */
async function load(target, { connections, calls }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times = [];
  let begun = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (begun < calls) {
        begun += 1;
        times.push(await call(target, agent));
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(part * times.length))];
  return { perSecond: calls / seconds, p50: at(0.5), p99: at(0.99) };
}

/** Resident memory of a process in MB; Linux only, else NaN. */
async function residentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Processor time of a process in ms, user and system; Linux only, else NaN. Ticks of 10 ms (USER_HZ is 100). */
async function processorMs(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const columns = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(columns[11]) + Number(columns[12])) * 10;
}

const BODY = Buffer.from(
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'version', arguments: {} } }),
);

/** Throughput of a running server with 8 connections, 200 clients at once, and what 10,000 calls leave in memory. */
export async function benchLoad({ port, token, pid }) {
  const target = { port, token, body: BODY };
  await load(target, { connections: 8, calls: 5000 });
  const spentBefore = await processorMs(pid);
  const rounds = [];
  for (let round = 0; round < 5; round += 1) rounds.push(await load(target, { connections: 8, calls: 3000 }));
  const perCall = ((await processorMs(pid)) - spentBefore) / 15_000;
  rounds.sort((a, b) => a.perSecond - b.perSecond);
  const middle = rounds[2];
  line(
    'calls/s of version, 8 connections',
    `${Math.round(middle.perSecond)}  [${Math.round(rounds[0].perSecond)} .. ${Math.round(rounds[4].perSecond)}]`,
    'target 3000',
    middle.perSecond >= 3000,
  );
  line(
    'p50 / p99',
    `${middle.p50.toFixed(1)} / ${middle.p99.toFixed(1)} ms`,
    'target p99 20 ms',
    middle.p99 <= 20,
  );
  // Says what the server costs also on a machine that is busy with other things.
  line(
    'processor time of the server for each call',
    `${perCall.toFixed(3)} ms, that is ${Math.round(1000 / perCall)} calls a second of one core`,
  );
  const crowd = await load(target, { connections: 200, calls: 10_000 });
  const perSecond = `${Math.round(crowd.perSecond)} calls/s, p99 ${crowd.p99.toFixed(0)} ms`;
  line('10,000 calls by 200 clients at once', perSecond);
  // Memory goes up and down with the collector: what stays shows in the least of some rounds.
  const first = await residentMb(pid);
  const later = [];
  for (let round = 0; round < 3; round += 1) {
    await load(target, { connections: 200, calls: 10_000 });
    later.push(await residentMb(pid));
  }
  const least = Math.min(...later);
  const growth = `${first.toFixed(0)} → ${later.map((mb) => mb.toFixed(0)).join(', ')} MB`;
  line('memory after three times as many more', growth, 'target +20 MB', !(least - first > 20));
}

/** Throughput of `version` while builds run, one after the other, for as long as these take. */
export async function benchDuringBuilds({ port, token }, builds) {
  const target = { port, token, body: BODY };
  const state = { building: true };
  const ended = builds().finally(() => {
    state.building = false;
  });
  const rounds = [];
  while (state.building) rounds.push(await load(target, { connections: 8, calls: 1000 }));
  await ended;
  // The last round has outlived the builds.
  const during = rounds.slice(0, -1).toSorted((a, b) => a.perSecond - b.perSecond);
  const middle = during[Math.floor(during.length / 2)];
  if (!middle) return console.log('the builds ended before 1,000 calls did');
  line(
    `calls/s while clean builds run (${during.length} rounds of 1,000)`,
    `${Math.round(middle.perSecond)}  [${Math.round(during[0].perSecond)} .. ${Math.round(during.at(-1).perSecond)}], p99 ${middle.p99.toFixed(1)} ms`,
    'target 1500',
    middle.perSecond >= 1500,
  );
}

function line(name, value, target, met = true) {
  console.log(`${name.padEnd(52)} ${value}${target ? `   ${target}${met ? '' : ': MISSED'}` : ''}`);
}
