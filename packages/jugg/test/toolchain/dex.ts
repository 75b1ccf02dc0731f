export { classNamesOfDex } from '../../src/toolchain/dex-classes.ts';
