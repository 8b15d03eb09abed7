import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Fault, PageFrame, Paragraphs } from '#respondent/PageFrame.tsx';
import { call, errorMessage } from '#respondent/api/api.ts';
import type { Entry } from '#respondent/steps.ts';

const RELATIONS = [
  ['01', '父亲'],
  ['02', '母亲'],
  ['03', '其他监护人'],
] as const;

interface Props {
  clientcode: string;
  /** the class that the link names */
  teamcode: string;
  /** the child that the link names by a code; the page shows nothing of this child */
  child: string | undefined;
  applyBranding: (entry: Entry) => void;
}

/**
 * The page for parents: a guardian reads the consent text and agrees or refuses before the day. The telephone must be the one that the
 * school has; the link of one child takes the birthday instead. The guardian can open the link again and decide otherwise.
 */
export function ParentApp({ clientcode, teamcode, child, applyBranding }: Props) {
  const [entry, setEntry] = useState<Entry>();
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const [decided, setDecided] = useState<0 | 1>();
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    call('getEntry', { clientcode }).then(
      (loaded) => {
        setEntry(loaded);
        applyBranding(loaded);
      },
      (error: unknown) => setFault(errorMessage(error)),
    );
  }, []);

  const decide = async (agreed: 0 | 1) => {
    if (busy || !entry) return;
    const field = (name: string) =>
      (form.current?.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null)?.value.trim() ?? '';
    const [username, phonenumber, birthday, name] = ['username', 'phonenumber', 'birthday', 'name'].map(field) as [
      string,
      string,
      string,
      string,
    ];
    const relation = field('relation') as '01' | '02' | '03';
    if (!child && !username) return setFault('请填写学生姓名');
    if (!name) return setFault('请填写监护人姓名');
    if (child && !phonenumber && !birthday) return setFault('请填写监护人电话，或孩子的出生日期');
    if ((!child || phonenumber) && !/^[0-9-]{7,20}$/.test(phonenumber)) return setFault('请填写学校登记的监护人电话');
    setFault('');
    setBusy(true);
    try {
      const { version: consentversion } = entry.consent;
      const proof = phonenumber ? { phonenumber } : { birthday };
      const who = child ? { child, ...proof } : { username, phonenumber };
      await call('decideAsGuardian', { clientcode, teamcode, consentversion, name, relation, agreed, ...who });
      setDecided(agreed);
    } catch (error) {
      setFault(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };

  const renderPage = () => {
    if (!entry)
      return fault ? (
        <PageFrame heading="暂时打不开">
          <p role="alert">{fault}</p>
        </PageFrame>
      ) : (
        <p className="loading" role="status">
          正在打开…
        </p>
      );
    if (decided !== undefined)
      return (
        <PageFrame
          heading={decided === 1 ? '已记录您的同意' : '已记录：不参加'}
          actions={
            <button type="button" onClick={() => setDecided(undefined)}>
              {child ? '改变决定' : '改变决定，或为另一个孩子填写'}
            </button>
          }
        >
          <p>
            {decided === 1
              ? '谢谢您。孩子本人仍可以自己决定是否参加。'
              : '学校不会安排孩子参加，也不会催促，对孩子的学习和评价没有影响。'}
            以后想改变决定，重新打开这个链接就可以。
          </p>
        </PageFrame>
      );
    return (
      <PageFrame heading="请监护人阅读并表态">
        <p className="institution">{entry.insname}</p>
        <p className="lead">您的孩子将参加一次心理健康筛查。下面是给学生阅读的知情同意书，请您一并阅读，再决定是否同意。</p>
        <section className="card prose" aria-label="知情同意书全文">
          <Paragraphs text={entry.consent.text} />
          <Paragraphs text={entry.consent.sensitivetext} />
        </section>
        <form ref={form} onSubmit={(event: FormEvent) => event.preventDefault()} noValidate className="card">
          {!child && (
            <label className="field">
              <span>学生姓名</span>
              <input name="username" autoComplete="off" maxLength={32} aria-describedby="parent-fault" />
            </label>
          )}
          <label className="field">
            <span>监护人姓名</span>
            <input name="name" autoComplete="name" maxLength={32} aria-describedby="parent-fault" />
          </label>
          <label className="field">
            <span>与学生关系</span>
            <select name="relation" defaultValue="01">
              {RELATIONS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            <span>监护人电话（学校登记的号码）</span>
            <input name="phonenumber" autoComplete="tel" inputMode="tel" maxLength={20} aria-describedby="parent-fault" />
          </label>
          {child && (
            <label className="field">
              <span>没有登记过电话的，请填孩子的出生日期</span>
              <input name="birthday" type="date" aria-describedby="parent-fault" />
            </label>
          )}
          <Fault id="parent-fault">{fault}</Fault>
          <button type="button" className="primary" aria-disabled={busy} onClick={() => void decide(1)}>
            {busy ? '请稍候…' : '我同意孩子参加'}
          </button>
          <button type="button" aria-disabled={busy} onClick={() => void decide(0)}>
            不同意
          </button>
        </form>
        <p className="quiet">
          版本 {entry.consent.version} · {child ? '电话或出生日期' : '电话'}只用来核对身份，不会发送短信
        </p>
      </PageFrame>
    );
  };
  return (
    <>
      <header className="top">
        <span className="brand">{entry?.insname ?? '心理健康测评'}</span>
      </header>
      <main>{renderPage()}</main>
    </>
  );
}
