import { Button, Group } from '@mantine/core';
import { IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react';
import { Link, useParams } from '#ui/router/router.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getTeamEntry } from '#features/team/team.contract.ts';
import classes from './team.module.css';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';

/** Returns how a respondent signs in: by telephone when the entry says so, else by number. */
const signInText = (loginmode: string) => (loginmode === '02' ? '输入姓名和手机号' : '输入姓名和学号/工号');

/** A poster for the classroom door or the notice board: the QR code, four steps and the hotline. */
export default function TeamQrPage() {
  const { teamcode = '' } = useParams();
  const entryQuery = useActionQuery(getTeamEntry, { teamcode }, { quiet: true });
  return (
    <Loaded read={entryQuery} skeleton={<Skeletons.Page />}>
      {(entry) =>
        entry.clientcode === '' ? (
          <EmptyState title="本机构还没有开通测评入口" hint="请联系服务商在机构管理中开通二维码" />
        ) : (
          <>
            <Group className={classes['noprint'] ?? ''} mb="md">
              <Button variant="default" component={Link} to={`/task/team/${teamcode}`}>
                返回名单
              </Button>
              <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
                打印
              </Button>
              <Button
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                component="a"
                href={`/qr/${entry.clientcode}.png?size=400`}
                download={`${entry.teamname}二维码.png`}
              >
                下载二维码
              </Button>
              <CopyTextButton text={entry.link} leftSection={<IconCopy size={16} aria-hidden />}>
                复制链接
              </CopyTextButton>
            </Group>
            <article className={classes['sheet']}>
              <p className={classes['ins']}>{entry.insname}</p>
              <h1>{entry.clienttitle}</h1>
              <p className={classes['team']}>{entry.teamname}</p>
              <img src={`/qr/${entry.clientcode}.svg`} alt={`测评入口二维码：${entry.link}`} width={300} height={300} />
              <p className={classes['link']}>{entry.link}</p>
              {entry.tasks.map((task) => (
                <p key={task.taskname}>
                  {task.taskname}：{task.begintime.slice(0, 16)} 至 {task.endtime.slice(0, 16)}
                </p>
              ))}
              <ol>
                <li>用手机相机、微信或浏览器扫描二维码，也可以在电脑上输入上面的网址</li>
                <li>{signInText(entry.loginmode)}，核对是不是本人；不是本人请点“这不是我”</li>
                <li>找一个安静、不被打扰的地方，按题目写明的时间内的真实感受作答，答案没有对错</li>
                <li>中途断网或关闭不要紧，重新扫码即可接着填写；看到“感谢”页面才算交卷</li>
              </ol>
              <p className={classes['care']}>
                如果感到难过、撑不住，或想找人说说话：
                <br />
                告诉你信任的人，或拨打心理援助热线 <strong>{entry.hotline}</strong>；情况紧急请拨打 120 或 110
              </p>
            </article>
          </>
        )
      }
    </Loaded>
  );
}
