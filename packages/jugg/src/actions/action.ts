import type { z } from 'zod';
import type { Artifact, Result } from '../shared/outcome.ts';
import type { CallContext } from './context.ts';

/** What a tool answers when it did what was asked: one or two sentences, and its own fields. */
export interface Answer {
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly artifacts?: readonly Artifact[];
  /** A picture shown beside the envelope (screenshot): PNG, at most 1 MB. */
  readonly imagePng?: Buffer;
}

/** MCP's tool annotations, given only where they differ from the protocol's defaults. */
export interface Annotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** The definition that everything about a tool comes from: MCP schema, CLI command, reference page, JSON Schema files. */
export interface Contract<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** One or two sentences that say when to use it. */
  readonly description: string;
  /** Strict: an unknown argument is refused. */
  readonly input: I;
  /** Shape of `data` when `status` is OK. */
  readonly output: O;
  readonly annotations?: Annotations;
}

export type Run<I, C> = (input: I, context: C) => Promise<Result<Answer>>;

export interface Action<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> extends Contract<
  I,
  O
> {
  readonly run: Run<z.output<I>, CallContext>;
}

/** A tool whose contract stands while its behaviour belongs to later work: neither listed nor callable. */
export function defineContract<I extends z.ZodType, O extends z.ZodType>(
  contract: Contract<I, O>,
): Contract<I, O> {
  return contract;
}

export function defineAction<I extends z.ZodType, O extends z.ZodType>(action: Action<I, O>): Action<I, O> {
  return action;
}

export const READ_ONLY: Annotations = { readOnlyHint: true };
