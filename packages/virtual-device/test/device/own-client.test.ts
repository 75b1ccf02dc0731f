import { ownTool } from '../support/tool.ts';
import { deviceSuite } from './suite.ts';

deviceSuite(ownTool);
