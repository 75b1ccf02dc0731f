import type { XmlElement } from './xml-tree.ts';

/** A printed document, and for each of its lines (from 1) the element that the line begins. */
export interface PrintedXml {
  readonly text: string;
  readonly origins: readonly (XmlElement | null)[];
}

/** Prints one tag a line, so that a message about a line leads back to the file the element came from. */
export function printXml(root: XmlElement): PrintedXml {
  const lines: string[] = ['<?xml version="1.0" encoding="utf-8"?>'];
  const origins: (XmlElement | null)[] = [null];
  const print = (element: XmlElement, indent: string): void => {
    const attributes = [...element.attributes].map(([name, value]) => ` ${name}="${escape(value)}"`).join('');
    const empty = element.children.length === 0;
    lines.push(`${indent}<${element.name}${attributes}${empty ? ' /' : ''}>`);
    origins.push(element);
    for (const child of element.children) print(child, `${indent}  `);
    if (empty) return;
    lines.push(`${indent}</${element.name}>`);
    origins.push(element);
  };
  print(root, '');
  return { text: `${lines.join('\n')}\n`, origins };
}

function escape(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}
