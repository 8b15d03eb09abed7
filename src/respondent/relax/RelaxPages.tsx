import { useEffect, useRef, useState } from 'react';
import type { HotlineView } from '#domain/exam/hotline.ts';
import type { Session } from '#respondent/api/session.ts';
import { ArticlePage } from '#respondent/relax/ArticlePage.tsx';
import { CoursePage } from '#respondent/relax/CoursePage.tsx';
import { LessonPage } from '#respondent/relax/LessonPage.tsx';
import { ListPage } from '#respondent/relax/ListPage.tsx';
import { MusicPlayer, type MusicControl, type MusicHandle } from '#respondent/relax/MusicPlayer.tsx';
import { OverviewPage } from '#respondent/relax/OverviewPage.tsx';
import { currentOf, goBack, goTo, keyOf, overview, type Place } from '#respondent/relax/places.ts';
import { nameOf, type Music } from '#respondent/relax/relaxWords.ts';
import { sendWaitingNotes } from '#respondent/relax/watchNotes.ts';
import { useBackButton } from '#respondent/useBackButton.ts';
import type { Words } from '#respondent/wording.ts';
import '#respondent/relax/relax.css';

interface Props {
  session: Session;
  words: Words;
  /** the lines of the entry, until those of the institution are there */
  lines: readonly HotlineView[];
  contact: () => void;
  back: () => void;
  /** another page stands over this one */
  isCovered: boolean;
}

/** 放松与学习: articles, music and courses. The tab knows where the person is until the session ends; the device keeps nothing. */
export function RelaxPages({ session, words, lines: entryLines, contact, back, isCovered }: Props) {
  const [places, setPlaces] = useState<readonly Place[]>(session.relaxPlaces ?? overview);
  const [lines, setLines] = useState(entryLines);
  const [queue, setQueue] = useState<{ rows: readonly Music[]; index: number }>();
  const [isSounding, setIsSounding] = useState(false);
  const player = useRef<MusicHandle>(null);
  const shelf = useRef(new Map<string, unknown>()).current;
  const place = currentOf(places);
  const key = keyOf(place);

  useEffect(() => {
    session.setRelaxPlaces(places);
    // Without a network the notes wait for the next visit of this page.
    void sendWaitingNotes(session).catch(() => undefined);
    // Without a network the lines of the entry stay.
    session.call('getPersonHotline', {}).then(
      (found) => found.length > 0 && setLines(found.map(({ name, phone, hours }) => ({ name, number: phone, hours }))),
      () => undefined,
    );
  }, []);
  // A page that was on the screen before shows the same part again.
  useEffect(() => {
    const top = shelf.get(`top ${key}`);
    if (typeof top === 'number') window.scrollTo(0, top);
  }, [key]);

  const show = (next: readonly Place[]) => {
    shelf.set(`top ${key}`, window.scrollY);
    if (next.length >= places.length) shelf.delete(`top ${keyOf(currentOf(next))}`);
    session.setRelaxPlaces(next);
    setPlaces(next);
  };
  const leave = () => {
    session.setRelaxPlaces(undefined);
    back();
  };
  const goBackOnce = () => {
    const next = goBack(places);
    if (next) show(next);
    else leave();
  };
  useBackButton(() => {
    if (!isCovered) goBackOnce();
    return true;
  });

  const current = queue?.rows[queue.index];
  const play = (rows: readonly Music[], index: number) => setQueue({ rows, index });
  const music: MusicControl = {
    isPlaying: ({ musicid }) => isSounding && musicid === current?.musicid,
    toggle: (rows, index) => (rows[index]?.musicid === current?.musicid ? player.current?.toggle() : play(rows, index)),
  };
  const before = places.at(-2);
  const props = {
    ...{ session, shelf, words, lines, contact },
    go: (next: Place) => show(goTo(places, next)),
    back: goBackOnce,
    backName: before && nameOf(before),
  };
  const isNamed = Boolean(session.identity?.maskedname);
  return (
    <div className="relax">
      {place.page === 'overview' && <OverviewPage {...props} music={music} />}
      {place.page === 'list' && <ListPage key={key} {...props} kind={place.kind} music={music} />}
      {place.page === 'article' && <ArticlePage key={key} {...props} articleid={place.id} />}
      {place.page === 'course' && <CoursePage key={key} {...props} courseid={place.id} isNamed={isNamed} />}
      {place.page === 'lesson' && (
        <LessonPage
          key={key}
          {...props}
          lessonid={place.id}
          courseid={place.courseid}
          isNamed={isNamed}
          isCovered={isCovered}
          onPlaying={() => player.current?.pause()}
        />
      )}
      {queue && current && (
        <MusicPlayer
          key={current.musicid}
          ref={player}
          session={session}
          row={current}
          isHidden={place.page === 'lesson' && !isSounding}
          onPlaying={setIsSounding}
          previous={queue.index > 0 ? () => play(queue.rows, queue.index - 1) : undefined}
          next={queue.index < queue.rows.length - 1 ? () => play(queue.rows, queue.index + 1) : undefined}
          close={() => {
            setQueue(undefined);
            setIsSounding(false);
          }}
        />
      )}
    </div>
  );
}
