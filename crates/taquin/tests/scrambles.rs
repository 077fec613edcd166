//! Published scrambles never change.

use taquin::{Goal, Rng, Size, random_walk, uniform};

#[test]
fn published_seeds_give_the_published_boards() {
    let data = include_str!("data/scrambles.txt");
    let mut boards = 0;
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split('|').map(str::trim);
        let head: Vec<&str> = parts.next().unwrap().split(' ').collect();
        let [size, seed, walk, goal] = head[..] else {
            panic!("{line}");
        };
        let size: Size = size.parse().unwrap();
        let goal = goal.parse::<Goal>().unwrap().board(size).unwrap();
        let mut rng = Rng::from_seed(seed.parse().unwrap());
        for published in parts {
            let board = match walk {
                "uniform" => uniform(&goal, &mut rng),
                length => {
                    let walk = random_walk(&goal, length.parse().unwrap(), &mut rng);
                    goal.after(&walk).unwrap()
                }
            };
            assert_eq!(board.to_string(), published, "{line}");
            boards += 1;
        }
    }
    assert_eq!(boards, 12);
}

#[test]
fn the_generator_gives_the_published_numbers() {
    for (seed, numbers) in [
        (
            0,
            [
                0x5317_5d61_490b_23df,
                0x61da_6f3d_c380_d507,
                0x5c0f_df91_ec9a_7bfc,
            ],
        ),
        (
            1,
            [
                0xcfc5_d07f_6f03_c29b,
                0xbf42_4132_963f_e08d,
                0x19a3_7d57_57aa_f520,
            ],
        ),
        (
            7,
            [
                0x0e2c_1a00_2aae_913d,
                0x2c0f_c8dd_fa4e_9e14,
                0xb7b3_11b3_b0d4_5872,
            ],
        ),
    ] {
        let mut rng = Rng::from_seed(seed);
        assert_eq!(numbers.map(|_| rng.next_u64()), numbers, "seed {seed}");
    }
    let mut rng = Rng::from_seed(7);
    let below_ten: Vec<usize> = (0..10).map(|_| rng.below(10)).collect();
    assert_eq!(below_ten, [0, 2, 6, 7, 5, 1, 1, 2, 1, 7]);
}
