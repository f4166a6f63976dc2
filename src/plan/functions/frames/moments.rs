//! Variances, covariances and lines through points.
//!
//! What is null, and of how few rows, is as DataFusion has it over rows that are no frame.

use super::queue::Part;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Statistic {
    Variance,
    PopulationVariance,
    Deviation,
    PopulationDeviation,
    Covariance,
    PopulationCovariance,
    Correlation,
    Slope,
    Intercept,
    Determination,
    AverageX,
    AverageY,
    SquaresX,
    SquaresY,
    Products,
}

impl Statistic {
    pub(super) fn of(function: &str) -> Option<Statistic> {
        Some(match function {
            "var" => Statistic::Variance,
            "var_pop" => Statistic::PopulationVariance,
            "stddev" => Statistic::Deviation,
            "stddev_pop" => Statistic::PopulationDeviation,
            "covar_samp" => Statistic::Covariance,
            "covar_pop" => Statistic::PopulationCovariance,
            "corr" => Statistic::Correlation,
            "regr_slope" => Statistic::Slope,
            "regr_intercept" => Statistic::Intercept,
            "regr_r2" => Statistic::Determination,
            "regr_avgx" => Statistic::AverageX,
            "regr_avgy" => Statistic::AverageY,
            "regr_sxx" => Statistic::SquaresX,
            "regr_syy" => Statistic::SquaresY,
            "regr_sxy" => Statistic::Products,
            _ => return None,
        })
    }

    pub(super) fn get(self, of: Moments) -> Option<f64> {
        let rows = of.rows;
        let some = |value: f64| (rows > 0.0).then_some(value);
        match self {
            Statistic::Variance => of.variance(),
            Statistic::PopulationVariance => of.population_variance(),
            Statistic::Deviation => of.variance().map(f64::sqrt),
            Statistic::PopulationDeviation => of.population_variance().map(f64::sqrt),
            Statistic::Covariance => (rows > 1.0).then(|| of.products / (rows - 1.0)),
            Statistic::PopulationCovariance => some(of.products / rows),
            Statistic::Correlation => of.correlation(),
            Statistic::Slope => of.slope(),
            Statistic::Intercept => of.slope().map(|slope| of.mean_y - slope * of.mean_x),
            Statistic::Determination => of.determination(),
            Statistic::AverageX => some(of.mean_x),
            Statistic::AverageY => some(of.mean_y),
            Statistic::SquaresX => some(of.squares_x),
            Statistic::SquaresY => some(of.squares_y),
            Statistic::Products => some(of.products),
        }
    }
}

/// The rows of which no value is null. A function of two columns names `y` first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moments {
    rows: f64,
    mean_x: f64,
    mean_y: f64,
    /// The squares of the distances from the mean. Not a number where a value is none, or infinite.
    squares_x: f64,
    squares_y: f64,
    products: f64,
}

// A variance of one column has it as both.
impl Moments {
    fn variance(self) -> Option<f64> {
        (self.rows > 1.0).then(|| self.squares_x / (self.rows - 1.0))
    }

    fn population_variance(self) -> Option<f64> {
        match self.rows {
            0.0 => None,
            rows => Some(self.squares_x / rows),
        }
    }

    fn correlation(self) -> Option<f64> {
        match (self.squares_x.is_nan(), self.squares_y.is_nan()) {
            (true, true) => Some(f64::NAN),
            (false, false) if self.rows > 1.0 && self.squares_x != 0.0 && self.squares_y != 0.0 => {
                Some(self.products / self.squares_x.sqrt() / self.squares_y.sqrt())
            }
            _ => None,
        }
    }

    fn slope(self) -> Option<f64> {
        (self.rows > 1.0 && self.squares_x != 0.0).then(|| self.products / self.squares_x)
    }

    fn determination(self) -> Option<f64> {
        let has_line = self.rows > 1.0 && self.squares_x != 0.0 && self.squares_y != 0.0;
        has_line.then(|| self.products / self.squares_x * (self.products / self.squares_y))
    }
}

impl Part for Moments {
    fn of(one: Option<f64>, other: Option<f64>) -> Moments {
        let (Some(y), Some(x)) = (one, other) else { return Moments::default() };
        // One row is no distance from its mean, if there is a mean.
        let distance = |value: f64| if value.is_finite() { 0.0 } else { f64::NAN };
        let (of_x, of_y) = (distance(x), distance(y));
        Moments { rows: 1.0, mean_x: x, mean_y: y, squares_x: of_x, squares_y: of_y, products: of_x + of_y }
    }

    fn and(self, behind: Moments) -> Moments {
        if behind.rows == 0.0 {
            return self;
        }
        if self.rows == 0.0 {
            return behind;
        }
        let rows = self.rows + behind.rows;
        let (x, y) = (behind.mean_x - self.mean_x, behind.mean_y - self.mean_y);
        let weight = self.rows * (behind.rows / rows);
        let mean = |one: f64, other: f64, apart: f64| {
            if apart.is_finite() {
                one + apart * (behind.rows / rows)
            } else {
                one * (self.rows / rows) + other * (behind.rows / rows)
            }
        };
        Moments {
            rows,
            mean_x: mean(self.mean_x, behind.mean_x, x),
            mean_y: mean(self.mean_y, behind.mean_y, y),
            squares_x: self.squares_x + behind.squares_x + x * x * weight,
            squares_y: self.squares_y + behind.squares_y + y * y * weight,
            products: self.products + behind.products + x * y * weight,
        }
    }
}
