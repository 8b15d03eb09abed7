import { IconArticle, IconMusic, IconPackage, IconSchool } from '@tabler/icons-react';
import { useState } from 'react';
import type { ContentKindCode } from '#domain/content/content.ts';
import classes from './Cover.module.css';

/** A kind of content, or goods. */
export type CoverKind = ContentKindCode | 'goods';
const ICONS = { article: IconArticle, music: IconMusic, course: IconSchool, goods: IconPackage } as const;
/** The calm backgrounds of contents without a cover. */
const SHADES = 5;

/** Returns the same shade for the same title, so that a content keeps its look in every list. */
const shadeOf = (title: string): number => [...title].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % SHADES;

/** The cover of a content. Without a picture, or when it does not load, it is a calm area with the sign of the kind. */
export function Cover({
  kind,
  title,
  src,
  shape = 'wide',
}: {
  kind: CoverKind;
  title: string;
  /** '' without a cover */
  src: string;
  /** wide: 16 to 9, fills its column; square: a small picture beside a title */
  shape?: 'wide' | 'square';
}) {
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const Icon = ICONS[kind];
  return (
    <span className={classes['cover']} data-shape={shape} data-shade={shadeOf(title)} aria-hidden>
      {src && src !== brokenSrc ? (
        <img src={src} alt="" loading="lazy" decoding="async" onError={() => setBrokenSrc(src)} />
      ) : (
        <Icon size={shape === 'wide' ? 40 : 22} stroke={1.2} />
      )}
    </span>
  );
}
