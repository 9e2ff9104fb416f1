//! Speed of making tests by construction: `gainsay bench construct`.

fn main() -> anyhow::Result<()> {
    gainsay::cli::bench::construct::run().map(|_| ())
}
