import { PageFrame } from '#respondent/PageFrame.tsx';
import type { Words } from '#respondent/wording.ts';
import type { Identity } from '#respondent/api/session.ts';

interface Props {
  identity: Identity;
  words: Words;
  accept: () => void;
  reject: () => void;
}

/** Page 2: 这是你吗？ A masked name and the class reveal a mix-up, but tell a stranger nothing. */
export function ConfirmPage({ identity, words, accept, reject }: Props) {
  return (
    <PageFrame
      heading={`这是${words.you}吗？`}
      actions={
        <>
          <button type="button" className="primary" onClick={accept}>
            是我，开始
          </button>
          <button type="button" onClick={reject}>
            这不是我
          </button>
        </>
      }
    >
      <div className="card who">
        <p className="name">{identity.maskedname}</p>
        {identity.belongs && <p>{identity.belongs}</p>}
      </div>
      <p className="quiet">如果不是{words.you}本人，请点“这不是我”，不要替别人作答。</p>
    </PageFrame>
  );
}
