import { PageFrame } from '#respondent/PageFrame.tsx';
import type { Words } from '#respondent/wording.ts';

/** The end of a personal link, or of the turn at this device. `isOther`: the person said 这不是我. */
export function EndedPage({ way, isOther, words: { you } }: { way: '01' | '02'; isOther: boolean; words: Words }) {
  const isDevice = way === '01';
  return (
    <PageFrame
      heading={isOther ? `不是${you}，没有关系` : '已经退出'}
      {...(isDevice
        ? {
            actions: (
              <button type="button" onClick={() => window.location.replace('/login')}>
                工作人员：返回管理端
              </button>
            ),
          }
        : {})}
    >
      <p className="lead">
        {isDevice
          ? '请把这台设备交还给工作人员。'
          : isOther
            ? `请关闭本页，并告诉发链接的工作人员。不要替别人作答。`
            : '可以关闭本页了。没有答完的，再打开原来的链接就能接着答。'}
      </p>
    </PageFrame>
  );
}
