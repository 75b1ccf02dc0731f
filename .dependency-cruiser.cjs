/** Imports go one way (docs/architecture.md): each layer may use those below it, never those above. */
const LAYERS = [
  ['cli', 'mcp'],
  ['actions'],
  ['runtime'],
  ['project', 'engine', 'deploy', 'device'],
  ['toolchain', 'adb'],
  ['formats'],
  ['shared'],
];
const SRC = '^packages/jugg/src/';

function upwards() {
  return LAYERS.flatMap((layer, index) => {
    const above = LAYERS.slice(0, index).flat();
    if (above.length === 0) return [];
    return [
      {
        name: `${layer.join('-')}-imports-upwards`,
        severity: 'error',
        from: { path: `${SRC}(${layer.join('|')})/` },
        to: { path: `${SRC}(${above.join('|')})/`, dependencyTypesNot: ['type-only'] },
      },
    ];
  });
}

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'only-mcp-knows-the-sdk',
      severity: 'error',
      from: { pathNot: `${SRC}mcp/` },
      to: { path: 'node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'formats-and-plans-do-no-io',
      severity: 'error',
      from: { path: `${SRC}(formats/|engine/(plan|effects)|deploy/decide)` },
      to: { path: '^(node:)?(fs|fs/promises|net|http|child_process|timers/promises)$' },
    },
    {
      name: 'virtual-device-stands-apart',
      comment: 'The device shares the wire codec and the shared helpers, nothing else.',
      severity: 'error',
      from: { path: '^packages/virtual-device/src/' },
      to: { path: '^packages/jugg/src/', pathNot: '^packages/jugg/src/(adb|shared|formats)/' },
    },
    {
      name: 'jugg-does-not-import-the-device',
      severity: 'error',
      from: { path: '^packages/jugg/src/' },
      to: { path: '^packages/virtual-device/' },
    },
    ...upwards(),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
