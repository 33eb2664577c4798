import TenureContentServer
import TenureCore
import TenureFormats
import TenureLicensingServer
import TenureMarketplaceServer
import TenurePackages
import TenureServerKit
import TenureStore

private let features = FeatureSet([.licensing, .marketplace, .accounts, .packages, .content])

/// A catalog is read as a whole or refused with problems, each at a place in the file.
let catalogFiles = FuzzTarget("CatalogFile", longest: 2048, cost: 20) { bytes in
    do throws(CatalogFileError) {
        let file = try features.catalogFile(parsing: bytes)
        expect(Set(file.tenants.map(\.id)).count == file.tenants.count, "a tenant is listed twice")
    } catch {
        expect(!error.problems.isEmpty, "a refusal without a problem")
        var places = JSONPlaces(in: bytes)
        for problem in error.problems {
            expect(
                !problem.message.isEmpty && (problem.pointer.isEmpty || problem.pointer.hasPrefix("/")), problem.pointer
            )
            _ = places.next(problem.pointer)
        }
    }
}
