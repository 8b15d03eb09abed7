import { useEffect, useRef, type ReactNode } from 'react';

interface Props {
  heading: string;
  children: ReactNode;
  /** buttons, within reach of a thumb */
  actions?: ReactNode;
}

/** Draws one page. Its heading takes the focus when the page appears, so that a screen reader starts there. */
export function PageFrame({ heading, children, actions }: Props) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [heading]);
  return (
    <div className="page">
      <h1 ref={title} tabIndex={-1}>
        {heading}
      </h1>
      {children}
      {actions && <div className="actions">{actions}</div>}
    </div>
  );
}

/** An error message. Screen readers read it out as soon as it appears. */
export function Fault({ children, id }: { children?: ReactNode; id?: string }) {
  return (
    <p className="fault" role="alert" id={id} hidden={!children}>
      {children}
    </p>
  );
}

/** Draws a text of several paragraphs, as institutions write them. */
export function Paragraphs({ text }: { text: string }) {
  const parts = text.split(/\r?\n+/).filter((part) => part.trim() !== '');
  return (
    <>
      {parts.map((part, index) => (
        <p key={index}>{part}</p>
      ))}
    </>
  );
}
