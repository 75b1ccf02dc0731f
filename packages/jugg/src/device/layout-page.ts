/** Style of the layout page; follows the reader's light or dark setting. */
export const layoutPageStyle = `
:root { color-scheme: light dark; font: 13px/1.5 system-ui, sans-serif; --line: #8886; --pick: #f60; }
body { margin: 0; }
header { padding: 8px 16px; border-bottom: 1px solid var(--line); }
h1 { font-size: 16px; margin: 0; }
p { margin: 2px 0; }
.note { color: #c60; }
#search { width: min(100%, 420px); padding: 4px 8px; margin-top: 6px; }
main { display: grid; grid-template-columns: minmax(220px, 360px) 1fr minmax(220px, 340px); gap: 12px; padding: 12px 16px; }
#screen { position: sticky; top: 12px; width: 100%; border: 1px solid var(--line); overflow: hidden; align-self: start; }
.box { position: absolute; box-sizing: border-box; border: 1px solid var(--line); font-size: 9px; overflow: hidden; }
.box.clickable { background: #08f1; }
.box.picked { outline: 2px solid var(--pick); z-index: 1; }
#tree, #tree ul { list-style: none; margin: 0; padding-left: 14px; }
#tree { overflow: auto; white-space: nowrap; }
summary { cursor: default; }
.row { cursor: pointer; padding: 0 3px; }
.row.hidden { opacity: .5; }
.row.picked { background: var(--pick); color: #fff; }
li.filtered { display: none; }
#details { margin: 0; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 800px) { main { grid-template-columns: 1fr; } }
`;

/** Script of the layout page: picking in the picture or the tree, and searching. */
export const layoutPageScript = `
const nodes = JSON.parse(document.getElementById('nodes').textContent);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
function pick(ref) {
  for (const old of all('.picked')) old.classList.remove('picked');
  for (const now of all('[data-ref="' + ref + '"]')) now.classList.add('picked');
  document.querySelector('.row[data-ref="' + ref + '"]')?.scrollIntoView({ block: 'nearest' });
  document.getElementById('details').textContent = JSON.stringify(nodes[ref], null, 2);
}
document.addEventListener('click', (event) => {
  const hit = event.target.closest('[data-ref]');
  if (!hit) return;
  event.preventDefault();
  pick(hit.dataset.ref);
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.target.matches('.row')) pick(event.target.dataset.ref);
});
document.getElementById('search').addEventListener('input', (event) => {
  const wanted = event.target.value.toLowerCase();
  const fits = (item) => all('.row', item).some((row) => JSON.stringify(nodes[row.dataset.ref]).toLowerCase().includes(wanted));
  for (const item of all('#tree li')) item.classList.toggle('filtered', wanted !== '' && !fits(item));
});
`;
