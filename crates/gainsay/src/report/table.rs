//! Tables as comma-separated values.

/// Comma-separated values, written row by row.
pub(super) struct Table(::csv::Writer<Vec<u8>>);

impl Table {
    /// A table with these columns.
    pub(super) fn new(columns: &[&str]) -> Table {
        let mut table = Table(::csv::Writer::from_writer(Vec::new()));
        table.row(columns);
        table
    }

    /// Adds a row, which has a cell for each column.
    pub(super) fn row<T: AsRef<[u8]>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.0.write_record(cells).expect("a row in memory has as many cells as the head");
    }

    /// The whole table as text.
    pub(super) fn text(self) -> String {
        let bytes = self.0.into_inner().expect("memory takes all");
        String::from_utf8(bytes).expect("cells are text")
    }
}
