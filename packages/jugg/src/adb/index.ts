export { createAdbHub } from './hub.ts';
export { serverConnect } from './server.ts';
export { startServer } from './start-server.ts';
