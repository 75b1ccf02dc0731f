import { z } from 'zod';

/** One view as `uiautomator dump` and `dumpsys activity top` need it; bounds are screen px. */
export interface ViewNode {
  className: string;
  /** `package:id/name`; absent when the view has no id from a resource. */
  resourceId?: string | undefined;
  text?: string | undefined;
  contentDesc?: string | undefined;
  boundsPx: [number, number, number, number];
  visible: boolean;
  enabled: boolean;
  clickable: boolean;
  longClickable: boolean;
  checkable: boolean;
  checked: boolean;
  focusable: boolean;
  focused: boolean;
  scrollable: boolean;
  selected: boolean;
  password: boolean;
  package: string;
  children: ViewNode[];
}

export const viewNodeSchema: z.ZodType<ViewNode> = z.object({
  className: z.string(),
  resourceId: z.string().optional(),
  text: z.string().optional(),
  contentDesc: z.string().optional(),
  boundsPx: z.tuple([z.int(), z.int(), z.int(), z.int()]),
  visible: z.boolean(),
  enabled: z.boolean(),
  clickable: z.boolean(),
  longClickable: z.boolean(),
  checkable: z.boolean(),
  checked: z.boolean(),
  focusable: z.boolean(),
  focused: z.boolean(),
  scrollable: z.boolean(),
  selected: z.boolean(),
  password: z.boolean(),
  package: z.string(),
  get children() {
    return z.array(viewNodeSchema);
  },
});
