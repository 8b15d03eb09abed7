/** An article of the demonstration: original texts, with care about what a screening can and cannot say. */
export interface DemoArticle {
  title: string;
  summary: string;
  category: '01' | '02' | '03' | '04';
  audience: '01' | '02' | '03';
  /** empty: every population */
  appids: string[];
  /** the levels of reports that recommend it */
  levels: number[];
  author: string;
  source?: string;
  istop?: 1;
  /** sanitised HTML */
  content: string;
  /** days from the anchor to the publication; later than today: scheduled; undefined: a draft */
  published: number | undefined;
  /** days from the anchor to the day on which it was taken down */
  offline?: number;
}
