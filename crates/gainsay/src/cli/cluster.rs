//! `gainsay cluster`: job files that start workers on the machines of a cluster, to run as they are.

use clap::Subcommand;

use super::arguments::BadUsage;
use super::exit;
use crate::report::jobs::{Workers, kubernetes, slurm};
use crate::store::Place;

/// For what kind of cluster.
#[derive(Subcommand)]
pub enum What {
    /// Write a job script for `sbatch`: an array of workers
    Slurm(Args),
    /// Write a Job for `kubectl apply -f -`: as many pods as workers
    Kubernetes(Kubernetes),
}

/// Which campaign, and what its workers may use.
#[derive(clap::Args)]
pub struct Args {
    /// The address of the campaign, without a password: `postgres://user@host/database#name`
    #[arg(long)]
    store: Place,
    /// How many workers: processes, each on its own cores
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    workers: u32,
    /// Cores for each worker, which are its jobs
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    jobs: u32,
    /// Megabytes for each core
    #[arg(long, default_value_t = 2560)]
    memory: u64,
    /// Hours after which workers end
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..))]
    hours: u32,
}

/// The same for Kubernetes.
#[derive(clap::Args)]
pub struct Kubernetes {
    #[command(flatten)]
    args: Args,
    /// The image that has gainsay, Python and pip in it
    #[arg(long, default_value = "gainsay:latest")]
    image: String,
    /// The Secret whose key `password` is the password of the database
    #[arg(long, default_value = "gainsay-store")]
    secret: String,
}

/// Runs the command.
pub fn run(what: &What) -> anyhow::Result<u8> {
    let (What::Slurm(args) | What::Kubernetes(Kubernetes { args, .. })) = what;
    let Place::Server(address) = &args.store else {
        return Err(BadUsage("machines share a server, not a folder: --store postgres://…".to_owned()).into());
    };
    if address.tells_password {
        let words =
            "leave the password out of the address: job files are read by many; the file says where it goes";
        return Err(BadUsage(words.to_owned()).into());
    }
    if address.is_local() {
        let words =
            format!("{address} is this machine alone: name the server as the nodes of the cluster reach it");
        return Err(BadUsage(words).into());
    }
    let &Args { workers: count, jobs, memory, hours, .. } = args;
    let workers = Workers { store: args.store.to_string(), count, jobs, memory, hours };
    match what {
        What::Slurm(_) => print!("{}", slurm(&workers)),
        What::Kubernetes(Kubernetes { image, secret, .. }) => {
            print!("{}", kubernetes(&workers, image, secret));
        }
    }
    Ok(exit::FINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args() -> Args {
        let store: Place = "postgres://lab@db.example/solvers#it_s".parse().expect("an address");
        Args { store, workers: 3, jobs: 8, memory: 1000, hours: 2 }
    }

    #[test]
    fn there_is_at_least_one_of_each() {
        let base = ["gainsay", "cluster", "slurm", "--store", "postgres://lab@db.example/solvers"];
        for flag in ["--workers", "--jobs", "--hours"] {
            for (number, fine) in [("0", false), ("1", true)] {
                let args = [&base[..], &[flag, number]].concat();
                assert_eq!(crate::cli::accepts(&args).is_ok(), fine, "{flag} {number}");
            }
        }
    }

    #[test]
    fn a_server_that_only_this_machine_has_is_refused() {
        for text in ["postgres://lab@localhost/solvers", "postgres://lab@%2Frun%2Fsql/solvers"] {
            let store: Place = text.parse().expect("an address");
            let told = run(&What::Slurm(Args { store, ..args() })).expect_err("refused").to_string();
            assert!(told.contains("is this machine alone"), "{told}");
        }
    }

    #[test]
    fn a_password_in_the_address_is_refused() {
        let store: Place = "postgres://lab:s3cret@db.example/solvers".parse().expect("an address");
        let told = run(&What::Slurm(Args { store, ..args() })).expect_err("refused").to_string();
        assert!(told.contains("leave the password out") && !told.contains("s3cret"), "{told}");
    }
}
