import type { ReactNode } from 'react';
import type { HotlineView } from '#domain/exam/hotline.ts';
import { PageFrame } from '#respondent/PageFrame.tsx';
import type { Words } from '#respondent/wording.ts';

/** What every page of 放松与学习 has: the way back and the help line. */
export interface FrameProps {
  words: Words;
  lines: readonly HotlineView[];
  contact: () => void;
  back: () => void;
  /** the name of the page to which `back` leads; absent on the first page */
  backName?: string | undefined;
}

interface Props extends FrameProps {
  heading: string;
  children: ReactNode;
}

/** Draws one page of 放松与学习. Help stands at its foot. */
export function RelaxFrame({ heading, children, back, backName, ...help }: Props) {
  return (
    <>
      {backName && (
        <button type="button" className="plain relax-crumb" onClick={back}>
          ‹ {backName}
        </button>
      )}
      <PageFrame
        heading={heading}
        actions={
          <button type="button" onClick={back}>
            返回
          </button>
        }
      >
        {children}
      </PageFrame>
      <HelpLine {...help} />
    </>
  );
}

/** Help for everybody, in calm words. It never depends on what the person reads. */
function HelpLine({ words: { you, helper }, lines, contact }: Pick<Props, 'words' | 'lines' | 'contact'>) {
  return (
    <section className="relax-help" aria-label="想找人聊聊">
      <p>
        想找人聊聊的时候，{you}可以打电话，也可以请{helper}联系{you}。
      </p>
      <ul className="relax-lines">
        {lines.map(({ number, name, hours }) => (
          <li key={number}>
            <a href={`tel:${number}`}>{number}</a>
            <span className="quiet">
              {name} · {hours}
            </span>
          </li>
        ))}
      </ul>
      <button type="button" onClick={contact}>
        请{helper}联系我
      </button>
    </section>
  );
}

/** Says that a part is being opened, or why it is not there, with another try. */
export function Opening({ fault, retry }: { fault: string; retry: () => void }) {
  if (!fault)
    return (
      <p className="loading" role="status">
        正在打开…
      </p>
    );
  return (
    <div className="card">
      <p role="alert">{fault}。这里的内容都还在。</p>
      <button type="button" onClick={retry}>
        再试一次
      </button>
    </div>
  );
}
