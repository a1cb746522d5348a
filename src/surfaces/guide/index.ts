/** The guide: the texts of `src/guide/*.md`, for the terminal and for the page. */
export { type Block, parseMarkdown, type Table } from './markdown.ts';
export { fileIn, type GuideTopic, guideTopics, topicFrom } from './topics.ts';
