export { createAdbHub, defaultServer } from './hub.ts';
export { isRefused } from './faults.ts';
export { quote } from './quote.ts';
export { serverConnect } from './server.ts';
export { startServer } from './start-server.ts';
