import type { HotlineView } from '#domain/exam/hotline.ts';
import type { Words } from '#respondent/wording.ts';

/** Names the sources of help in calm words, with their hours. It never says why it is shown. */
export function SupportCard({ text, lines, words }: { text: string; lines: readonly HotlineView[]; words: Words }) {
  const { you } = words;
  return (
    <section className="card support" aria-labelledby="support-title">
      <h2 id="support-title">{you}不是一个人</h2>
      <p>{text || `如果最近觉得很难受，请告诉${you}信任的人，也可以拨打下面的电话。`}</p>
      <ul className="lines">
        {lines.map(({ number, name, hours }) => (
          <li key={number}>
            <a href={`tel:${number}`}>
              <b>{number}</b>
              <span>
                {name} · {hours}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
