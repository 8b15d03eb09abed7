import { useState } from 'react';

interface Props {
  /** why the last code did not open the screen, or why the screen is over */
  message: string;
  /** the console is asking for a code, or a code is on its way */
  isWaiting: boolean;
  onCode: (code: string) => Promise<void>;
}

const DIGITS = 10;
const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(0, DIGITS);
/** 1234567890 as 12345 67890, as the console shows it. */
const inGroups = (code: string): string => (code.length > 5 ? `${code.slice(0, 5)} ${code.slice(5)}` : code);

/** Takes the code that opens a screen in this browser. */
export function CodeEntry({ message, isWaiting, onCode }: Props) {
  const [code, setCode] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  if (isWaiting)
    return (
      <main className="notice" role="status">
        正在打开大屏…
      </main>
    );
  const submit = async () => {
    setIsBusy(true);
    await onCode(code);
    setIsBusy(false);
    setCode('');
  };
  return (
    <main className="entry">
      <h1>数据大屏</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (code.length === DIGITS && !isBusy) void submit();
        }}
      >
        <label htmlFor="code">请输入 10 位大屏码</label>
        <input
          id="code"
          autoFocus
          inputMode="numeric"
          autoComplete="off"
          aria-describedby="hint error"
          aria-invalid={message !== ''}
          value={inGroups(code)}
          onChange={(event) => setCode(digitsOf(event.currentTarget.value))}
        />
        <button type="submit" aria-disabled={code.length < DIGITS || isBusy}>
          {isBusy ? '正在打开…' : '打开'}
        </button>
        <p id="error" role="alert">
          {message}
        </p>
        <p id="hint">大屏码在管理端的“个人中心 → 数据大屏”生成，10 分钟内有效，只能用一次。</p>
      </form>
    </main>
  );
}
