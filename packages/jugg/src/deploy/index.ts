import { DeviceDeployer, type DeployerOptions } from './deployer.ts';
import type { Deployer } from './types.ts';

export function createDeployer(options: DeployerOptions): Deployer {
  return new DeviceDeployer(options);
}
