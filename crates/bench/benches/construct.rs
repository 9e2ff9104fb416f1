//! Speed of making tests by construction: `gainsay bench construct`.

fn main() -> anyhow::Result<()> {
    gainsay_bench::construct::run().map(|_| ())
}
