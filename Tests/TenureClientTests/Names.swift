import TenureClient

/// The client's, not the core's of the same name.
typealias LicenseState = TenureClient.LicenseState
