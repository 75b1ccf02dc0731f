/** Prints one line: median, the range, how many, and the ratio to a rival measured in the same run. */
export function report(name, times, { target, rival } = {}) {
  const { median, min, max } = summary(times);
  const parts = [`${name.padEnd(52)} ${ms(median)}  [${ms(min)} .. ${ms(max)}]  n=${times.length}`];
  if (rival)
    parts.push(
      `${(summary(rival.times).median / median).toFixed(1)}x faster than ${rival.name} (${ms(summary(rival.times).median)})`,
    );
  if (target) parts.push(`target ${target} ms${median <= target ? '' : ': MISSED'}`);
  console.log(parts.join('   '));
}

function summary(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], max: sorted.at(-1) };
}

function ms(value) {
  return `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
}

/** Times `work` `count` times after `warmUp` runs that do not count. */
export async function time(count, work, warmUp = 0) {
  const times = [];
  for (let run = -warmUp; run < count; run += 1) {
    const started = performance.now();
    await work(run + warmUp);
    if (run >= 0) times.push(performance.now() - started);
  }
  return times;
}
