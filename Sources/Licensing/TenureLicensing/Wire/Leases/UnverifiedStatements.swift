public import TenureFormats

/// A lease as received, not verified.
public typealias UnverifiedTenureLease = UnverifiedStatement<TenureLease>
/// A trial as received, not verified.
public typealias UnverifiedTenureTrial = UnverifiedStatement<TenureTrial>
/// A product's terms as received, not verified.
public typealias UnverifiedTenureProductTerms = UnverifiedStatement<TenureProductTerms>
/// The confirmation of a release as received, not verified.
public typealias UnverifiedTenureRelease = UnverifiedStatement<TenureRelease>
/// A list of devices as received, not verified.
public typealias UnverifiedTenureDevices = UnverifiedStatement<TenureDevices>
