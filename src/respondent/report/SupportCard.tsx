import { hotlines, type Words } from '#respondent/wording.ts';

/** Names the sources of help in calm words. It never says why it is shown. */
export function SupportCard({ text, hotline, words }: { text: string; hotline: string; words: Words }) {
  const { you } = words;
  return (
    <section className="card support" aria-labelledby="support-title">
      <h2 id="support-title">{you}不是一个人</h2>
      <p>{text || `如果最近觉得很难受，请告诉${you}信任的人，也可以随时拨打下面的电话，会有人听${you}说。`}</p>
      <ul className="lines">
        {hotlines(hotline).map(({ number, what }) => (
          <li key={number}>
            <a href={`tel:${number}`}>
              <b>{number}</b>
              <span>{what}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
