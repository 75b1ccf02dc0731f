import { createServer, connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { isOwnPeer, ownerOf } from '../../src/mcp/peer.ts';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:3020 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41 1 0000000000000000
   1: 0100007F:3020 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 42 1 0000000000000000
   2: 0100007F:C350 0100007F:3020 01 00000000:00000000 00:00000000 00000000  1001        0 43 1 0000000000000000
`;

describe('the other end of a connection', () => {
  test('is found by both ports, not by one', () => {
    expect(ownerOf(TABLE, 0xc350, 0x3020)).toBe(1001);
    expect(ownerOf(TABLE, 0x3020, 0xc350)).toBe(1000);
    expect(ownerOf(TABLE, 0xc351, 0x3020)).toBeUndefined();
  });

  test('is this user here', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const accepted = new Promise<boolean>((resolve) =>
      server.once('connection', (socket) => void isOwnPeer(socket).then(resolve)),
    );
    const client = connect(port, '127.0.0.1');
    expect(await accepted).toBe(true);
    client.destroy();
    server.close();
  });
});
