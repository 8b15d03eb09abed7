import { Cover, type CoverKind } from '#blocks/content/Cover.tsx';
import classes from './Cover.module.css';

/** The title of a content beside its small cover, for lists. A long title takes two lines. */
export const ContentTitle = ({ kind, title, src }: { kind: CoverKind; title: string; src: string }) => (
  <span className={classes['titled']}>
    <Cover kind={kind} title={title} src={src} shape="square" />
    <span data-long>{title}</span>
  </span>
);
