/// The part of Foundation that the clients use: `Data`, `Date`, `URL`, `UUID` and JSON.
///
/// On Linux, `import Foundation` would link ICU's data, which add about 40 MB to a static program.
/// `FoundationEssentials` declares the same types without ICU. Apple's systems have only `Foundation`, which is part of
/// the system.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
