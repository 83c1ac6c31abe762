// RUN: pld-opt %s -p materialize-dist-tensor-ctx | filecheck %s

// A yield that cannot be traced, or only to the seed itself, leaves the carry's context as it is.

func.func private @k(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"}

// CHECK-LABEL: func.func @f
// CHECK: pl.call @k(%x, %a_ctx)
// CHECK: pl.call @opaque(%x, %a_ctx)
// CHECK: pl.call @k(%r, %a_ctx)
func.func @f(%c: i1, %n: index, %a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (!pld.dist_tensor<tensor<4xf32>>) {
    pl.call @k(%x) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
    %y = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>) {
      %z = pl.call @opaque(%x) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
      scf.yield %z : !pld.dist_tensor<tensor<4xf32>>
    } else {
      scf.yield %x : !pld.dist_tensor<tensor<4xf32>>
    }
    scf.yield %y : !pld.dist_tensor<tensor<4xf32>>
  }
  pl.call @k(%r) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
