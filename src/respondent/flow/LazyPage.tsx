import { useEffect, useState, type ReactNode } from 'react';
import { PageFrame } from '#respondent/PageFrame.tsx';

interface Props<Part> {
  heading: string;
  /** Loads the code of the part, which the first visit does not need. */
  load: () => Promise<Part>;
  back: () => void;
  children: (part: Part) => ReactNode;
}

/** A part did not arrive since the page was opened, perhaps without its style sheet. */
let hasFailed = false;

/** Asks again for the style sheets of parts: the build's loader asks for each of them once, also when it does not arrive. */
const reloadStyles = () =>
  Promise.all(
    [...document.querySelectorAll('link[rel="stylesheet"]')].map(
      (link) =>
        new Promise((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement;
          again.onload = resolve;
          again.onerror = reject;
          link.replaceWith(again);
        }),
    ),
  );

/** Loads a part of the app and draws it. Without a network it says so, and the page before stays reachable. */
export function LazyPage<Part>({ heading, load, back, children }: Props<Part>) {
  const [loaded, setLoaded] = useState<{ part: Part }>();
  const [isFailed, setIsFailed] = useState(false);
  const open = () => {
    setIsFailed(false);
    (hasFailed ? reloadStyles() : Promise.resolve()).then(load).then(
      (part) => {
        hasFailed = false;
        setLoaded({ part });
      },
      () => {
        hasFailed = true;
        setIsFailed(true);
      },
    );
  };
  useEffect(open, []);
  if (loaded) return children(loaded.part);
  if (!isFailed)
    return (
      <p className="loading" role="status">
        正在打开…
      </p>
    );
  return (
    <PageFrame
      heading={heading}
      actions={
        <>
          <button type="button" className="primary" onClick={open}>
            再试一次
          </button>
          <button type="button" onClick={back}>
            返回
          </button>
        </>
      }
    >
      <p role="alert">网络不太稳定，暂时打不开。已经保存的都还在，过一会儿再试试。</p>
    </PageFrame>
  );
}
