-- Version 7 has no new table: a campaign is defined by the rows `spec` and `identity` of the table `campaign`.
SELECT 1;
