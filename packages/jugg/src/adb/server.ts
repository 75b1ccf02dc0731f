import type { Duplex } from 'node:stream';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { CLIENT_FEATURES } from './banner.ts';
import { onAbort } from './deadline.ts';
import { gone, serverFault } from './faults.ts';
import { connectToServer } from './smart-socket.ts';
import type { ServerAddress, SmartSocket } from './smart-socket.ts';
import type { Transport } from './transport.ts';

/** Asks a server one thing that it answers with a string. */
async function query(address: ServerAddress, request: string, signal: AbortSignal): Promise<Result<string>> {
  const connected = await connectToServer(address, signal);
  if (!connected.ok) return connected;
  const socket = connected.value;
  const stopListening = onAbort(signal, () => {
    socket.close();
  });
  const taken = await socket.request(request);
  const text = taken.ok ? await socket.text() : null;
  stopListening();
  socket.close();
  if (!taken.ok) return fail('ENVIRONMENT_ERROR', `The adb server said: ${taken.failure.message}`);
  if (text === null) return fail('ENVIRONMENT_ERROR', 'The adb server closed the connection.');
  return ok(text);
}

/** The protocol version of a server, e.g. 41. */
export async function serverVersion(address: ServerAddress, signal: AbortSignal): Promise<Result<number>> {
  const answer = await query(address, 'host:version', signal);
  return answer.ok ? ok(Number.parseInt(answer.value, 16)) : answer;
}

/** The device list in its long form. */
export function serverDevices(address: ServerAddress, signal: AbortSignal): Promise<Result<string>> {
  return query(address, 'host:devices-l', signal);
}

/** Tells the server to connect to a device over TCP, or to drop it. The value is what the server says about it. */
export function serverConnect(
  address: ServerAddress,
  device: string,
  how: 'connect' | 'disconnect',
  signal: AbortSignal,
): Promise<Result<string>> {
  return query(address, `host:${how}:${device}`, signal);
}

/**
 * Hands over the device list now and after every change, until the server ends or `signal` is aborted. Ok when the
 * server was there at all.
 */
export async function trackDevices(
  address: ServerAddress,
  signal: AbortSignal,
  changed: (list: string) => void,
): Promise<Result<void>> {
  const connected = await connectToServer(address, signal);
  if (!connected.ok) return connected;
  const socket = connected.value;
  const stopListening = onAbort(signal, () => {
    socket.close();
  });
  const tracking = await startTracking(socket);
  if (tracking.ok) {
    for (let list = await socket.text(); list !== null; list = await socket.text()) changed(list);
  }
  stopListening();
  socket.close();
  return tracking;
}

async function startTracking(socket: SmartSocket): Promise<Result<void>> {
  const taken = await socket.request('host:track-devices-l');
  if (taken.ok) return ok(undefined);
  return fail('ENVIRONMENT_ERROR', `The adb server said: ${taken.failure.message}`);
}

/** A device behind a server. Every stream is a connection of its own to the server. */
export async function serverTransport(
  address: ServerAddress,
  serial: string,
  signal: AbortSignal,
): Promise<Result<Transport>> {
  const connected = await connectToServer(address, signal);
  if (!connected.ok) return connected;
  const socket = connected.value;
  const stopListening = onAbort(signal, () => {
    socket.close();
  });
  const taken = await socket.request(`host-serial:${serial}:features`);
  const text = taken.ok ? await socket.text() : null;
  stopListening();
  socket.close();
  if (!taken.ok) return serverFault(taken.failure.message, serial, 'features');
  if (text === null) return gone(serial);
  // The server lists what both it and the device can do; only what this client knows too is used.
  const ours: ReadonlySet<string> = new Set(CLIENT_FEATURES);
  const features = new Set(text.split(',').filter((feature) => ours.has(feature)));
  return ok({
    serial,
    features,
    openStream: (service, streamSignal) => openStream(address, serial, service, streamSignal),
  });
}

async function openStream(
  address: ServerAddress,
  serial: string,
  service: string,
  signal: AbortSignal,
): Promise<Result<Duplex>> {
  const connected = await connectToServer(address, signal);
  if (!connected.ok) return gone(serial);
  const socket = connected.value;
  const stopListening = onAbort(signal, () => {
    socket.close();
  });
  const selected = await socket.request(`host:transport:${serial}`);
  const opened = selected.ok ? await socket.request(service) : selected;
  stopListening();
  if (opened.ok) return ok(socket.release());
  socket.close();
  if (signal.aborted) return fail('CANCELED', `Opening ${service}: canceled.`);
  if (opened.failure.kind === 'gone') return gone(serial);
  return serverFault(opened.failure.message, serial, service);
}
